internal import Fanout

/// Sends events to any number of browsers, as server-sent events: a browser that comes back goes on behind the last
/// event it knows, and one that is too slow is told to load the page again.
public final class EventFeed: Sendable {
  private let events = Broadcast<Event, Never>(replay: .last(256))

  /// Makes a feed without browsers.
  public init() {}

  /// Sends an event, and returns the number of browsers that listen.
  @discardableResult
  public func publish(_ event: Event) -> Int { events.yield(event).subscribers }

  /// The number of browsers that listen.
  public var browsers: Int { events.values.status.subscribers.count }

  /// The number of events that browsers have not taken.
  public var waiting: Int { events.values.status.subscribers.reduce(0) { $0 + $1.waiting } }

  /// Ends all responses, each behind what it is owed.
  public func close() { events.finish() }

  /// Writes one response, until the feed is closed or the browser is gone.
  public func respond(
    after lastID: Int? = nil, write: (String) async throws -> Void
  ) async rethrows {
    let place: Join<Event> = lastID.map { id in .after { $0.id == id } } ?? .live
    let browser = events.values.joining(place, backlog: .size(64, whenFull: .dropOldest))
    for await delivery in browser.deliveries() {
      switch delivery {
      case .replayed(let event), .live(let event): try await write(event.text)
      case .missed: try await write("event: reload\n\n")
      case .caughtUp: break
      }
    }
  }
}

/// An event of a feed.
public struct Event: Sendable {
  let id: Int
  let data: String

  var text: String { "id: \(id)\ndata: \(data)\n\n" }

  /// Makes an event; `id` grows.
  public init(id: Int, data: String) { (self.id, self.data) = (id, data) }
}
