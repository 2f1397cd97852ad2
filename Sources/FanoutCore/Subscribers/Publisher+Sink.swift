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
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(link: consume sink)
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
    let sink = Subscribers.Sink<Output, Never>(receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(link: consume sink)
  }
}
