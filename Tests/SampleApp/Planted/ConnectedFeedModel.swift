// `@unchecked Sendable` invariant: the properties are written by `start` only, which is called once,
// before the model is used by another thread.

public import Fanout

/// A feed with the third leak: its shared publisher decodes with the feed's own method, and so
/// retains the feed, and it stays connected by hand.
public final class ConnectedFeedModel: @unchecked Sendable {
  private var messages: Publishers.Multicast<Publishers.Map<Server, String>, Messages>?
  private var connection: (any Cancellable)?

  /// The server's side.
  public typealias Server = PassthroughSubject<String, Never>
  /// The subject that remembers messages for later views.
  public typealias Messages = ReplaySubject<String, Never>

  /// Makes a model that has not started.
  public init() {}

  /// Connects to a server, whether there is a view or not.
  public func start(_ server: Server) {
    let messages = server.map { self.decode($0) }.multicast(replay: .last(10))
    connection = messages.connect()
    self.messages = messages
  }

  private func decode(_ line: String) -> String { "• " + line }
}
