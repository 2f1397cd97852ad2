// `@unchecked Sendable` invariant: all state is in `stage`, which is safe to use from any thread. A
// source that is fused with the sink is the only caller; every other access is counted in and out.
// Unmanaged reference: the body of the stage is the `SinkClosures` that the sink was made with.

public import FanoutEngine

extension Subscribers {
  /// A subscriber that requests all values and passes them to closures.
  ///
  /// - Completion, cancel: The closures and the subscription are released at once: before
  ///   `cancel()` returns if no delivery runs, otherwise by the delivering thread before it takes
  ///   the next value. A sink that is cancelled before it subscribes stays silent.
  /// - Concurrency: The closures run on the delivering thread. Any thread may call `cancel()`, also
  ///   inside a closure.
  /// - Ownership: The sink retains its subscription, its closures and what they capture.
  @_fixed_layout
  public final class Sink<Input, Failure: Error>: ChainNode, Subscriber, Cancellable,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
    @unchecked Sendable
  {
    @usableFromInline package let stage:
      ReceiverStage<SinkClosures<Input, Subscribers.Completion<Failure>>>

    /// Creates a sink to pass to `subscribe(_:)`.
    ///
    /// - Parameters:
    ///   - receiveCompletion: The closure to call once, at the completion.
    ///   - receiveValue: The closure to call with each value, one at a time.
    @inlinable
    @preconcurrency
    public convenience init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      self.init(
        EndingSinkClosures(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
    }

    /// Creates a sink of closures in one object.
    @inlinable
    package init(_ closures: consuming SinkClosures<Input, Subscribers.Completion<Failure>>) {
      stage = ReceiverStage(closures)
      super.init()
    }

    /// The closure for values; after the cancel or the completion, one that does nothing.
    @preconcurrency
    public var receiveValue: @Sendable (Input) -> Void {
      guard let receive = stage.withBody({ $0.receiveValue }) else { return { _ in } }
      return receive
    }

    /// The closure for the completion; after the cancel or the completion, one that does nothing.
    @preconcurrency
    public var receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void {
      guard let receive = stage.withBody({ $0.receiveEnd }) ?? nil else { return { _ in } }
      return receive
    }

    /// Requests everything; cancels a second subscription, and one that comes after `cancel()`.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      subscription.request(.unlimited)
    }

    /// Calls the closure with a value.
    @inlinable
    public func receive(_ value: Input) -> Subscribers.Demand {
      // Not by the stage: the type of its body would be looked up.
      _ = stage.reference.withObject { body in
        Unmanaged<SinkClosures<Input, Subscribers.Completion<Failure>>>
          .fromOpaque(Unmanaged.passUnretained(body).toOpaque())
          ._withUnsafeGuaranteedRef { $0.receiveValue(value) }
      }
      return .none
    }

    /// Calls the closure with a value, in a delivery of the fused source.
    @inlinable
    @inline(__always)
    public func _receiveFused(_ value: Input) -> Subscribers.Demand {
      stage.deliver {
        $0.receiveValue(value)
        return .none
      } otherwise: {
        receive(value)
      }
    }

    /// Fuses with the source that delivers to this sink, and requests everything.
    ///
    /// The package's publishers call this method.
    @_documentation(visibility: internal)
    @inlinable
    public func _fuse(_ source: DeliverySource) -> Credit? {
      stage.adoptGuard(source) ? .unlimited : nil
    }

    /// Releases the closures and the subscription, then calls the closure with the completion.
    public func receive(completion: Subscribers.Completion<Failure>) {
      var receiveEnd: ((Subscribers.Completion<Failure>) -> Void)?
      // Not by the stage: the type of its body would be looked up.
      let isOpen = stage.reference.finish(for: self) { body -> Bool in
        Unmanaged<SinkClosures<Input, Subscribers.Completion<Failure>>>
          .fromOpaque(Unmanaged.passUnretained(body).toOpaque())
          ._withUnsafeGuaranteedRef { receiveEnd = $0.receiveEnd }
        return true
      }
      // What was released may have cancelled.
      if isOpen != nil { receiveEnd?(completion) }
    }

    /// Cancels the subscription, and releases it and the closures.
    public override func cancel() {
      stage.cancel(for: self)
    }

    /// Releases the closures.
    ///
    /// The package's publishers call this method.
    @_documentation(visibility: internal)
    public override func _sourceDidQuiesce() { stage.release() }

    /// The name of the type.
    public var description: String { "Sink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// The name of the type.
    public var playgroundDescription: Any { description }
  }
}
