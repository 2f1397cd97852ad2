// Unsafe: invariant: `receiver` is the object that `_retainedReceiver` of the subscriber returned,
// and the functions are called with that object only.

public import FanoutCore
public import FanoutEngine

/// A subscriber without its type: its object, and the functions that call it.
///
/// The one that delivers is formed in the subscriber's module, where its type is known, and
/// captures nothing. So what stands behind an operator is specialised although the operator is not.
@usableFromInline
package struct ErasedSubscriber<Input, Failure: Error> {
  /// The functions that call a subscriber.
  struct Calls {
    /// Delivers a value, and returns what the subscriber requests with it.
    let deliver: (AnyObject, Input) -> Credit
    /// The functions for the subscription and the completion.
    let ends: SubscriberEnds<Failure>.Type
  }

  /// The subscriber, or the box that it is in.
  package let receiver: AnyObject
  let calls: Calls

  /// Creates a subscriber without its type.
  ///
  /// - Parameter subscriber: The subscriber.
  @inlinable
  init<Downstream: Subscriber>(_ subscriber: Downstream)
  where Downstream.Input == Input, Downstream.Failure == Failure {
    self.init(subscriber._retainedReceiver, EndsOf<Downstream>.self) {
      Downstream._deliver($1, to: $0).credit
    }
  }

  @usableFromInline
  init(
    _ receiver: Unmanaged<AnyObject>, _ ends: SubscriberEnds<Failure>.Type,
    deliver: @escaping (AnyObject, Input) -> Credit
  ) {
    self.receiver = receiver.takeRetainedValue()
    calls = Calls(deliver: deliver, ends: ends)
  }
}

/// The functions that a subscriber without its type is called with once: a type has them, and takes
/// one word.
@usableFromInline
package class SubscriberEnds<Failure: Error> {
  /// Passes the subscription; returns the initial demand of a subscriber that fuses, if it may.
  class func begin(
    _ receiver: AnyObject, _ source: any DeliverySource & Subscription, mayFuse: Bool
  ) -> Credit? { nil }

  /// Passes the completion.
  class func finish(_ receiver: AnyObject, _ completion: Subscribers.Completion<Failure>) {}
}

/// The functions of the subscribers of one type.
@usableFromInline
package final class EndsOf<Downstream: Subscriber>: SubscriberEnds<Downstream.Failure> {
  override class func begin(
    _ receiver: AnyObject, _ source: any DeliverySource & Subscription, mayFuse: Bool
  ) -> Credit? {
    let subscriber = Downstream._subscriber(receiver)
    if mayFuse, let credit = subscriber._fuse(source) { return credit }
    subscriber.receive(subscription: source)
    return nil
  }

  override class func finish(
    _ receiver: AnyObject, _ completion: Subscribers.Completion<Downstream.Failure>
  ) {
    Downstream._subscriber(receiver).receive(completion: completion)
  }
}
