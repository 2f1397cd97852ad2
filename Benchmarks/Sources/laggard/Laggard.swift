import Fanout

struct TooSlow: Error {}

/// A subscriber that takes nothing until it is told to, and then checks what it gets.
final class Laggard: Subscriber {
  typealias Input = Delivery<Int>
  typealias Failure = TooSlow

  private(set) var delivered = 0
  private(set) var missed = 0
  private(set) var isInOrder = true
  private(set) var end: Subscribers.Completion<TooSlow>?
  /// Called with each value; it measures.
  var whenDelivered: () -> Void = {}
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Delivery<Int>) -> Subscribers.Demand {
    switch input {
    case .replayed: isInOrder = false
    case .caughtUp: break
    case .missed(let count): missed += count ?? 0
    case .live(let number):
      // A value comes in its place exactly if all that is missing before it was told.
      isInOrder = isInOrder && number == delivered + missed
      delivered += 1
      whenDelivered()
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<TooSlow>) { end = completion }

  func takeAll() { subscription?.request(.unlimited) }

  func cancel() { subscription?.cancel() }
}
