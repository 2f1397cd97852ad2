// Unmanaged references: `counter` is used only while the owner of the cursor is retained, and the
// owner retains it.

public import FanoutEngine

/// A counter of the subscribers that keep a connection alive.
@usableFromInline
package protocol SubscriberCounting: AnyObject {
  /// Counts a subscriber out, after a cancel or at the completion.
  func leave(atEnd: Bool)
}

/// The subscription of one subscriber to the hub of a shared publisher, which counts the subscriber
/// out when it leaves.
@usableFromInline
package final class CountedSubscription<Downstream: Subscriber>: HubSubscription<Downstream> {
  /// The counter that has counted the subscriber in, if one has.
  package unowned(unsafe) let counter: (any SubscriberCounting)?

  /// Creates a subscription; the caller passes owner and receiver retained, and the owner retains
  /// the counter.
  @usableFromInline
  package init(
    hub: Unmanaged<Hub<Downstream.Input, Subscribers.Completion<Downstream.Failure>>>,
    owner: Unmanaged<AnyObject>, receiver: Unmanaged<AnyObject>,
    counter: borrowing (any SubscriberCounting)?,
    deliver: @escaping Deliver = { Downstream._deliver($1, to: $0).credit }
  ) {
    // Not owned: it would be retained once more for each subscriber.
    self.counter = copy counter
    super.init(hub: hub, owner: owner, receiver: receiver, name: .multicast, deliver: deliver)
  }

  package override func didLeave(atEnd: Bool) { counter?.leave(atEnd: atEnd) }
}
