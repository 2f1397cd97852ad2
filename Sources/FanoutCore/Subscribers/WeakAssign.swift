// Invariant: a body's reference to its object is set once, when the body is made; a weak reference
// may be read from any thread.

package import FanoutEngine

/// A subscriber that assigns every value to a property of an object that it does not retain.
///
/// When a value arrives and the object is gone, it cancels.
package final class WeakAssign<Root: AnyObject, Input>: ChainNode, Subscriber, Cancellable {
  package typealias Failure = Never

  package final class Body: ReceiverBody {
    package private(set) weak var object: Root?
    package let keyPath: ReferenceWritableKeyPath<Root, Input>

    package init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.object = object
      self.keyPath = keyPath
      super.init()
    }

    /// Assigns a value; returns whether the object still existed.
    package func assign(_ value: Input) -> Bool {
      guard let object else { return false }
      object[keyPath: keyPath] = value
      return true
    }
  }

  package let stage: ReceiverStage<Body>

  package init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
    stage = ReceiverStage(Body(object: object, keyPath: keyPath))
    super.init()
  }

  package func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    subscription.request(.unlimited)
  }

  package func receive(_ value: Input) -> Subscribers.Demand {
    if stage.withBody({ $0.assign(value) }) == false { cancel() }
    return .none
  }

  package func _receiveFused(_ value: Input) -> Subscribers.Demand {
    let isThere = stage.deliver {
      $0.assign(value)
    } otherwise: {
      stage.withBody { $0.assign(value) } ?? true
    }
    if !isThere { cancel() }
    return .none
  }

  package func _fuse(_ source: DeliverySource) -> Credit? {
    stage.adoptGuard(source) ? .unlimited : nil
  }

  package func receive(completion: Subscribers.Completion<Never>) {
    _ = stage.finish(for: self, taking: { _ in })
  }

  package override func cancel() { stage.cancel(for: self) }

  package override func _sourceDidQuiesce() { stage.release() }
}
