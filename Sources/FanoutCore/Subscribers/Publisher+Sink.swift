// Unmanaged reference: the retain that a sink is made with is handed to the cancellable, once.

extension Publisher {
  /// Attaches closures that receive everything, until the returned object is cancelled or dies.
  ///
  /// - Parameters:
  ///   - receiveCompletion: called once, at the completion.
  ///   - receiveValue: called with each value, one at a time, on the thread that delivers.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
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
  /// Attaches a closure that receives every value, until the returned object is cancelled or dies.
  ///
  /// - Parameter receiveValue: called with each value, one at a time, on the thread that delivers.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
  @inlinable
  @preconcurrency
  public func sink(
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    attach(Subscribers.Sink(receiveValue: receiveValue))
  }
}

extension Publisher {
  /// Subscribes a sink and hands its only retain on to what cancels it.
  @inlinable
  @inline(__always)
  func attach(_ sink: consuming Subscribers.Sink<Output, Failure>) -> AnyCancellable {
    let retained = Unmanaged.passRetained(consume sink)
    retained._withUnsafeGuaranteedRef { subscribe($0) }
    return AnyCancellable(retained: .fromOpaque(retained.toOpaque()))
  }
}
