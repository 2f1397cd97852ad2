// `@unchecked Sendable` invariant: all state is in `stage`, which is safe to use from any thread. A
// source that is fused with the subscriber is the only caller; every other access is counted in and
// out.

public import FanoutEngine

extension Subscribers {
  /// A subscriber that requests everything and assigns each value to a property of an object.
  ///
  /// - Completion, cancel: the object and the subscription are released at once. If a delivery is
  ///   running, its thread releases them before it takes the next value; otherwise they are
  ///   released before `cancel()` returns. A subscriber that is cancelled before it subscribes
  ///   assigns nothing.
  /// - Concurrency: assigns on the delivering thread. `cancel()` may be called from any thread,
  ///   also by the object during an assignment.
  /// - Ownership: retains its subscription and the object.
  public final class Assign<Root, Input>: ChainNode, Subscriber, Cancellable,
    CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  {
    /// The failure type: the subscriber attaches only to publishers that never fail.
    public typealias Failure = Never

    @_fixed_layout
    @usableFromInline package final class Body: ReceiverBody {
      package let object: Root
      package let keyPath: ReferenceWritableKeyPath<Root, Input>

      init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
        self.object = object
        self.keyPath = keyPath
        super.init()
      }
    }

    package let stage: ReceiverStage<Body>

    /// The key path of the property to assign to.
    @preconcurrency public let keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable

    /// Creates a subscriber to pass to `subscribe(_:)`.
    ///
    /// - Parameters:
    ///   - object: The object whose property is assigned to.
    ///   - keyPath: The key path of the property.
    @preconcurrency
    public init(object: Root, keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable) {
      self.keyPath = keyPath
      stage = ReceiverStage(Body(object: object, keyPath: keyPath))
      super.init()
    }

    /// The object whose property is assigned to; nil once the subscriber has released it.
    public var object: Root? { stage.withBody { $0.object } }

    /// Requests everything; cancels a second subscription, and any that arrives after `cancel()`.
    ///
    /// - Parameter subscription: The link to the publisher.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      subscription.request(.unlimited)
    }

    /// Assigns a value to the property.
    ///
    /// - Parameter value: The value to assign.
    /// - Returns: ``Subscribers/Demand/none``: everything has been requested already.
    public func receive(_ value: Input) -> Subscribers.Demand {
      _ = stage.withBody { $0.object[keyPath: $0.keyPath] = value }
      return .none
    }

    /// Assigns a value in a delivery of the fused source.
    @_documentation(visibility: internal)
    @inline(__always)
    public func _receiveFused(_ value: Input) -> Subscribers.Demand {
      stage.deliver {
        $0.object[keyPath: $0.keyPath] = value
        return .none
      } otherwise: {
        receive(value)
      }
    }

    /// Fuses with the source that delivers to this subscriber, and requests everything.
    ///
    /// The package's publishers call this method.
    @_documentation(visibility: internal)
    public func _fuse(_ source: DeliverySource) -> Credit? {
      stage.adoptGuard(source) ? .unlimited : nil
    }

    /// Releases the object and the subscription.
    ///
    /// - Parameter completion: The completion, which is always `.finished`.
    public func receive(completion: Subscribers.Completion<Never>) {
      _ = stage.finish(for: self, taking: { _ in })
    }

    /// Cancels the subscription, and releases it and the object.
    public override func cancel() { stage.cancel(for: self) }

    /// Releases the object.
    ///
    /// The package's publishers call this method.
    @_documentation(visibility: internal)
    public override func _sourceDidQuiesce() { stage.release() }

    /// The text `Assign` and the type of the object.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror with the object and the key path.
    public var customMirror: Mirror {
      let children: [Mirror.Child] = [("object", object as Any), ("keyPath", keyPath)]
      return Mirror(self, children: children)
    }

    /// The same text as `description`.
    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Assign: @unchecked Sendable where Root: Sendable {}
