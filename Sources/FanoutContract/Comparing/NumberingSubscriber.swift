internal import Fanout
internal import FanoutTestSupport

/// A subscriber that passes the number of each value to a recorder, and retains no value.
///
/// The recorder does not retain this subscriber: if it is alive, a publisher retains it.
final class NumberingSubscriber<Input, Failure: Error>: Subscriber {
  let name: Int
  private let recorder: TestSubscriber<Int, Failure>
  private let number: (Input) -> Int

  init(_ name: Int, _ recorder: TestSubscriber<Int, Failure>, number: @escaping (Input) -> Int) {
    self.name = name
    self.recorder = recorder
    self.number = number
  }

  func receive(subscription: any Subscription) { recorder.receive(subscription: subscription) }

  func receive(_ input: Input) -> Subscribers.Demand { recorder.receive(number(input)) }

  func receive(completion: Subscribers.Completion<Failure>) {
    recorder.receive(completion: completion)
  }
}
