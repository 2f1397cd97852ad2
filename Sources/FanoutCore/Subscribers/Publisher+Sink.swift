// Unmanaged reference: the retain with which a sink is made passes to the cancellable, once.

public import FanoutEngine

extension Publisher {
  /// Attaches closures that receive every value and the completion.
  ///
  /// <doc:CallbacksAndTasks#A-sink-or-a-loop> compares a sink with loops over `values`.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure to call once, at the completion.
  ///   - receiveValue: The closure to call with each value, one at a time, on the delivering
  ///     thread.
  /// - Returns: An object that keeps the subscription alive. Its `cancel()` and its
  ///   deinitialization cancel the subscription.
  @inlinable
  @preconcurrency
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    _sink(EndingSinkClosures(receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure that receives every value.
  ///
  /// <doc:CallbacksAndTasks#A-sink-or-a-loop> compares a sink with loops over `values`.
  ///
  /// - Parameter receiveValue: The closure to call with each value, one at a time, on the
  ///   delivering thread.
  /// - Returns: An object that keeps the subscription alive. Its `cancel()` and its
  ///   deinitialization cancel the subscription.
  @inlinable
  @preconcurrency
  public func sink(
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    _sink(SinkClosures(receiveValue: receiveValue))
  }
}

extension Publisher {
  /// Subscribes a ``Subscribers/Sink``.
  @_documentation(visibility: internal)
  @inlinable
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    Subscribers.Sink(closures).attached { subscribe($0) }
  }
}

extension Subscribers.Sink {
  /// Attaches this sink by a closure, and passes its only retain to the cancellable.
  @inlinable
  @inline(__always)
  package consuming func attached(by attach: (Subscribers.Sink<Input, Failure>) -> Void)
    -> AnyCancellable
  {
    let retained = Unmanaged.passRetained(self)
    retained._withUnsafeGuaranteedRef(attach)
    return AnyCancellable(retained: .fromOpaque(retained.toOpaque()))
  }
}
