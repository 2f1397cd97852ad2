import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import Testing

/// One row of a picture: what a publisher sends to one subscriber, in virtual time.
struct MarbleRun<Output> {
  let line: Marbles
  let values: [Character: Output]
  let subscribedAt: Int
  let cancelledAt: Int?

  /// Makes a row.
  ///
  /// - Parameters:
  ///   - line: The row from its subscription on. Digits and then letters stand for the values.
  ///   - values: The values in their order.
  ///   - time: The tick of the subscription.
  ///   - cancelledAt: The tick of the cancel, or nil if none comes before the end of the row.
  init(_ line: Marbles, _ values: [Output], at time: Int = 0, cancelledAt: Int? = nil) {
    self.line = line
    self.values = Dictionary(uniqueKeysWithValues: zip("0123456789abcdef", values))
    subscribedAt = time
    self.cancelledAt = cancelledAt
  }
}

extension MarbleRun: Sendable where Output: Sendable {}

/// A publisher whose first subscriber gets the first row, the second one the second row, and so on.
final class MarbleSource<Output: Sendable, Failure: Error>: Publisher, Sendable {
  private let runs: [MarblePublisher<Output, Failure>]
  private let subscribed = Shared(0)

  init(_ runs: [MarblePublisher<Output, Failure>]) { self.runs = runs }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let index = subscribed.value
    subscribed.value = index + 1
    guard index < runs.count else {
      Issue.record("the picture has \(runs.count) rows, and this is one subscription more")
      return
    }
    runs[index].receive(subscriber: subscriber)
  }
}

/// The rows of one picture, which publishers send in virtual time.
final class MarbleScene {
  let scheduler = TestScheduler()
  private var checks: [() -> Void] = []

  func publisher<Output: Sendable>(_ runs: MarbleRun<Output>...) -> MarbleSource<Output, Never> {
    publisher(runs) { scheduler.cold($0.line, values: $0.values) }
  }

  func publisher<Output: Sendable, Failure: Error>(
    _ runs: MarbleRun<Output>..., error: Failure
  ) -> MarbleSource<Output, Failure> {
    publisher(runs) { scheduler.cold($0.line, values: $0.values, error: error) }
  }

  private func publisher<Output: Sendable, Failure: Error>(
    _ runs: [MarbleRun<Output>], make: (MarbleRun<Output>) -> MarblePublisher<Output, Failure>
  ) -> MarbleSource<Output, Failure> {
    let sent = runs.map(make)
    for (run, publisher) in zip(runs, sent) {
      checks.append {
        let subscriptions = publisher.subscriptions
        #expect(subscriptions.map(\.subscribedAt) == [.init(run.subscribedAt)])
        #expect(subscriptions.map(\.droppedCount) == [0])
        if let time = run.cancelledAt {
          #expect(subscriptions.map(\.cancelledAt) == [.init(time)])
        } else {
          let end = run.subscribedAt + (run.line.marks.last?.tick ?? 0)
          #expect(subscriptions.allSatisfy { $0.cancelledAt.map { $0 >= .init(end) } ?? true })
        }
      }
    }
    return MarbleSource(sent)
  }

  /// Checks that a subscriber receives the signs of the last row, and that the other rows are as drawn.
  func expect<P: Publisher>(_ signs: [String], of publisher: P) where P.Output: Sendable {
    let subscriber = TestSubscriber<P.Output, P.Failure>(scheduler: scheduler)
    publisher.subscribe(subscriber)
    scheduler.advance(to: 20)
    let received = subscriber.timedEvents.dropFirst().map { event in
      let time = event.time.map { "\($0)" } ?? "?"
      return switch event.event {
      case .value(let value): "\(Self.words(of: value))@\(time)"
      case .completion(.finished): "|@\(time)"
      case .completion(.failure): "#@\(time)"
      default: "\(event)"
      }
    }
    #expect(received == signs)
    #expect(subscriber.violations == [])
    for check in checks { check() }
    subscriber.cancel()
  }

  /// The words in the marble of a value: an array with brackets, a tuple without.
  private static func words(of value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { words(of: $0.value) }
    return switch mirror.displayStyle {
    case .optional: parts.first ?? "nil"
    case .tuple: parts.joined()
    case .collection: "[\(parts.joined(separator: ","))]"
    default: "\(value)"
    }
  }
}

/// The error of the pictures, beside `Broken`.
struct Late: Error {}

/// Returns a number, or throws if it is negative.
@Sendable func checked(_ number: Int) throws -> Int {
  guard number >= 0 else { throw Broken() }
  return number
}

/// A coder of numbers as texts.
struct NumberCoder: TopLevelDecoder, TopLevelEncoder {
  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let number = Int(text) as? T else { throw Broken() }
    return number
  }

  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
}

let coder = NumberCoder()
