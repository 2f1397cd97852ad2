internal import FanoutEngine
internal import Synchronization

/// The subscription to a publisher without values.
///
/// It delivers only the completion, and not even that after a cancel.
final class EndedSubscription: Subscription, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible, Sendable
{
  private let isCancelled = AtomicValue<Bool>(false)

  init() { noteCreation(of: self) }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { isCancelled.store(true, ordering: .releasing) }

  /// Gives a subscriber its subscription, and then the completion unless it has cancelled.
  static func tell<S: Subscriber>(_ subscriber: S, end: Subscribers.Completion<S.Failure>) {
    let subscription = EndedSubscription()
    subscriber.receive(subscription: subscription)
    guard !subscription.isCancelled.load(ordering: .acquiring) else { return }
    subscriber.receive(completion: end)
  }

  var description: String { "Empty" }
  var playgroundDescription: Any { description }
}
