// Unsafe: invariant: `receiver` is the object that `_retainedReceiver` of the subscriber returned, and each function is
// called with that object only.

public import FanoutCore
public import FanoutEngine

/// A subscriber without its type: its object, and the functions that call it.
///
/// The functions are formed in the subscriber's module, where its type is known, and capture nothing. So what stands
/// behind an operator is specialised although the operator is not.
@usableFromInline
package struct ErasedSubscriber<Input, Failure: Error> {
  /// The functions that call a subscriber.
  struct Calls {
    /// Delivers a value, and returns what the subscriber requests with it.
    let deliver: (AnyObject, Input) -> Credit
    /// Passes the subscription; returns the initial demand of a subscriber that fuses, if it may.
    let begin: (AnyObject, any DeliverySource & Subscription, _ mayFuse: Bool) -> Credit?
    /// Passes the completion.
    let finish: (AnyObject, Subscribers.Completion<Failure>) -> Void
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
    self.init(
      subscriber._retainedReceiver,
      deliver: { Downstream._deliver($1, to: $0).credit },
      begin: { receiver, source, mayFuse in
        let subscriber = Downstream._subscriber(receiver)
        if mayFuse, let credit = subscriber._fuse(source) { return credit }
        subscriber.receive(subscription: source)
        return nil
      }, finish: { Downstream._subscriber($0).receive(completion: $1) })
  }

  @usableFromInline
  init(
    _ receiver: Unmanaged<AnyObject>, deliver: @escaping (AnyObject, Input) -> Credit,
    begin: @escaping (AnyObject, any DeliverySource & Subscription, _ mayFuse: Bool) -> Credit?,
    finish: @escaping (AnyObject, Subscribers.Completion<Failure>) -> Void
  ) {
    self.receiver = receiver.takeRetainedValue()
    calls = Calls(deliver: deliver, begin: begin, finish: finish)
  }
}

@available(*, unavailable)
extension ErasedSubscriber: Sendable {}

@available(*, unavailable)
extension ErasedSubscriber.Calls: Sendable {}
