// `@unchecked Sendable` invariant: only one thread uses a subscriber and its subscription.

internal import Fanout
internal import FanoutTestSupport

/// A subscriber that passes the number of each value to a recorder, and retains no value.
///
/// The recorder does not retain this subscriber: if it is alive, a publisher retains it.
final class NumberingSubscriber<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  let name: Int
  private let recorder: TestSubscriber<Int, Failure>
  private let number: (Input) -> Int
  private let isSink: Bool

  /// Creates a subscriber.
  ///
  /// - Parameters:
  ///   - name: The subscriber's number.
  ///   - recorder: The recorder of its calls.
  ///   - isSink: Whether it attaches by `sink`, with closures that call it.
  ///   - number: The closure that returns the number of a value.
  init(
    _ name: Int, _ recorder: TestSubscriber<Int, Failure>, isSink: Bool,
    number: @escaping (Input) -> Int
  ) {
    self.name = name
    self.recorder = recorder
    self.isSink = isSink
    self.number = number
  }

  /// Attaches this subscriber to a publisher.
  func attach<P: Publisher>(to publisher: P) where P.Output == Input, P.Failure == Failure {
    guard isSink else { return publisher.subscribe(self) }
    let subscription = SinkSubscription()
    recorder.receive(subscription: subscription)
    subscription.sink = publisher.sink {
      self.receive(completion: $0)
    } receiveValue: {
      _ = self.receive($0)
    }
  }

  func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { recorder.receive(number(input)) }

  func receive(completion: Subscribers.Completion<Failure>) {
    recorder.receive(completion: completion)
  }
}

/// The subscription that the recorder of a sink gets: the sink requests everything by itself.
private final class SinkSubscription: Subscription, @unchecked Sendable {
  var sink: AnyCancellable?

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { sink?.cancel() }
}
