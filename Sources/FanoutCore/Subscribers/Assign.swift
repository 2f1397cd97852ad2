// `@unchecked Sendable` invariant: all state is in `stage`, which is safe to use from any thread.
// A source that guards the subscriber is the only one to call it; everything else is counted in and
// out.

public import FanoutEngine

extension Subscribers {
  /// A subscriber that asks for everything and assigns it to a property of an object.
  ///
  /// - Completion, cancel: the object and the subscription are let go at once: before `cancel()`
  ///   returns if nothing is being delivered, otherwise by the delivering thread before it takes
  ///   the next value. Cancelled before it ever subscribes, it assigns nothing.
  /// - Concurrency: assigns on the thread that delivers. `cancel()` may be called from any thread,
  ///   also by the object while it is assigned to.
  /// - Ownership: retains its subscription and the object.
  public final class Assign<Root, Input>: Link, Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible
  {
    /// It receives from publishers that never fail.
    public typealias Failure = Never

    @usableFromInline
    final class Body: ReceiverBody, ReferenceListing {
      @usableFromInline let object: Root
      @usableFromInline let keyPath: ReferenceWritableKeyPath<Root, Input>

      @inlinable
      init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
        self.object = object
        self.keyPath = keyPath
        super.init()
      }

      package var heldReferences: [HeldReference] {
        bodyReferences + [.value("object", object)]
      }
    }

    @usableFromInline let stage: ReceiverStage<Body>

    /// Says which property is assigned to.
    @preconcurrency public let keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable

    /// Makes a subscriber, to be passed to `subscribe(_:)`.
    ///
    /// - Parameters:
    ///   - object: whose property is assigned to.
    ///   - keyPath: says which property.
    @inlinable
    @preconcurrency
    public init(object: Root, keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable) {
      self.keyPath = keyPath
      stage = ReceiverStage(Body(object: object, keyPath: keyPath))
      super.init()
    }

    /// The object; nil once the subscriber has let go.
    public var object: Root? { stage.withBody { $0.object } }

    /// Asks for everything; cancels a second subscription, and any that comes after `cancel()`.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      subscription.request(.unlimited)
    }

    /// Assigns a value.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      _ = stage.withBody { $0.object[keyPath: $0.keyPath] = value }
      return .none
    }

    /// Assigns a value, in a delivery of the guarding source.
    @_documentation(visibility: internal)
    @inlinable
    @inline(__always)
    public func _receiveGuarded(_ value: Input) -> Subscribers.Demand {
      stage.deliver {
        $0.object[keyPath: $0.keyPath] = value
        return .none
      } otherwise: {
        receive(value)
      }
    }

    /// Adopts the source that guards this subscriber's deliveries, and asks for everything.
    ///
    /// Called by the package's publishers.
    @_documentation(visibility: internal)
    @inlinable
    public func _adopt(_ source: DeliverySource) -> Credit? {
      stage.adoptGuard(source) ? .unlimited : nil
    }

    /// Lets go of everything.
    public func receive(completion: Subscribers.Completion<Never>) {
      _ = stage.finish(for: self, taking: { _ in })
    }

    /// Stops for good and lets go of everything.
    public override func cancel() { stage.cancel(for: self) }

    /// Lets go of the object.
    ///
    /// Called by the package's publishers.
    @_documentation(visibility: internal)
    public override func _releaseFromGuard() { stage.release() }

    /// The text `Assign` and the type of the object.
    public var description: String { "Assign \(Root.self)." }

    /// A mirror with the object and the key path.
    public var customMirror: Mirror {
      let children: [Mirror.Child] = [("object", object as Any), ("keyPath", keyPath)]
      return Mirror(self, children: children)
    }

    /// The same as the description.
    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Assign: @unchecked Sendable where Root: Sendable {}

extension Subscribers.Assign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}
