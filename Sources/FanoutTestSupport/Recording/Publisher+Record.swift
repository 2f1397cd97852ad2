public import Fanout

extension Publisher {
  /// Subscribes a recorder, which collects the events from now on.
  ///
  /// - Parameters:
  ///   - demand: The initial demand; ``Recorder/request(_:)`` adds to it.
  ///   - scheduler: The scheduler whose time is recorded with each event; nil for no times.
  /// - Returns: The recorder. Keep it: its deinitialization cancels the subscription.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let prices = PassthroughSubject<Int, Never>()
  /// let recorder = prices.first().record()
  /// prices.send(5)
  /// print(recorder.events)
  /// // Prints:
  /// // [subscription, 5, finished]
  /// ```
  public func record(
    demand: Subscribers.Demand = .unlimited, scheduler: TestScheduler? = nil
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(demand: demand, scheduler: scheduler)
    recorder.subscribe(to: self)
    return recorder
  }
}
