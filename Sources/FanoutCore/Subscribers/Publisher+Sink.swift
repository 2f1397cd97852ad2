// Unmanaged reference: the retain with which a sink is made passes to the cancellable, once.

extension Publisher {
  /// Attaches closures that receive every value and the completion.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure to call once, at the completion.
  ///   - receiveValue: The closure to call with each value, one at a time, on the delivering thread.
  /// - Returns: An object that keeps the subscription alive. Its `cancel()` and its deinitialization cancel
  ///   the subscription.
  @inlinable
  @preconcurrency
  public func sink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    attach(
      Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue))
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure that receives every value.
  ///
  /// - Parameter receiveValue: The closure to call with each value, one at a time, on the delivering
  ///   thread.
  /// - Returns: An object that keeps the subscription alive. Its `cancel()` and its deinitialization cancel
  ///   the subscription.
  @inlinable
  @preconcurrency
  public func sink(
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    attach(Subscribers.Sink(receiveValue: receiveValue))
  }
}

extension Publisher {
  /// Subscribes a sink, and passes its only retain to the cancellable.
  @inlinable
  @inline(__always)
  func attach(_ sink: consuming Subscribers.Sink<Output, Failure>) -> AnyCancellable {
    let retained = Unmanaged.passRetained(consume sink)
    retained._withUnsafeGuaranteedRef { subscribe($0) }
    return AnyCancellable(retained: .fromOpaque(retained.toOpaque()))
  }
}
