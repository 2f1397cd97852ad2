// `@unchecked Sendable` invariant: all state is in `stage`, which is safe to use from any thread.
// A source that guards the sink is the only one to call it; everything else is counted in and out.

public import FanoutEngine

extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// - Completion, cancel: the closures and the subscription are let go at once: before `cancel()`
  ///   returns if nothing is being delivered, otherwise by the delivering thread before it takes
  ///   the next value. Cancelled before it ever subscribes, it stays silent.
  /// - Concurrency: closures run on the thread that delivers. `cancel()` may be called from any
  ///   thread, also inside a closure.
  /// - Ownership: retains its subscription, its closures and what they capture.
  public final class Sink<Input, Failure: Error>: Link, Subscriber, Cancellable,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
    @unchecked Sendable
  {
    @usableFromInline let stage: ReceiverStage<Body>

    /// Makes a sink, to be passed to `subscribe(_:)`.
    ///
    /// - Parameters:
    ///   - receiveCompletion: called once, at the completion.
    ///   - receiveValue: called with each value, one at a time.
    @inlinable
    @preconcurrency
    public init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      stage = ReceiverStage(
        CompletingBody(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
      super.init()
    }

    /// Makes a sink that does nothing at the completion.
    @inlinable
    init(receiveValue: @escaping @Sendable (Input) -> Void) {
      stage = ReceiverStage(Body(receiveValue: receiveValue))
      super.init()
    }

    /// The closure for values; one that does nothing once the sink has let go.
    @preconcurrency
    public var receiveValue: @Sendable (Input) -> Void {
      guard let body = stage.withBody({ $0 }) else { return { _ in } }
      return body.receiveValue
    }

    /// The closure for the completion; one that does nothing once the sink has let go.
    @preconcurrency
    public var receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void {
      guard let body = stage.withBody({ $0 }) else { return { _ in } }
      return body.whenCompleted
    }

    /// Asks for everything; cancels a second subscription, and any that comes after `cancel()`.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      subscription.request(.unlimited)
    }

    /// Hands a value to the closure.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      _ = stage.withBody { $0.receiveValue(value) }
      return .none
    }

    /// Hands a value to the closure, in a delivery of the guarding source.
    @inlinable
    @inline(__always)
    public func _receiveGuarded(_ value: Input) -> Subscribers.Demand {
      stage.deliver {
        $0.receiveValue(value)
        return .none
      } otherwise: {
        receive(value)
      }
    }

    /// Adopts the source that guards this sink's deliveries, and asks for everything.
    ///
    /// Called by the package's publishers.
    @_documentation(visibility: internal)
    @inlinable
    public func _adopt(_ source: DeliverySource) -> Credit? {
      stage.adoptGuard(source) ? .unlimited : nil
    }

    /// Hands the completion to the closure and lets go of everything.
    public func receive(completion: Subscribers.Completion<Failure>) {
      stage.finish(for: self, taking: { $0.whenCompleted })?(completion)
    }

    /// Stops for good and lets go of everything.
    public override func cancel() {
      stage.cancel(for: self)
    }

    /// Lets go of the closures.
    ///
    /// Called by the package's publishers.
    @_documentation(visibility: internal)
    public override func _releaseFromGuard() { stage.release() }

    /// The name of the type.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// The name of the type.
    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.Sink: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}
