public import Fanout

extension Publisher {
  /// Subscribes a recorder, which collects what comes from now on.
  ///
  /// - Parameters:
  ///   - demand: What it asks for at the start; more by ``Recorder/request(_:)``.
  ///   - scheduler: Whose time is noted with each event; none if nil.
  /// - Returns: The recorder. It is to be kept: when it dies, the subscription is cancelled.
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
