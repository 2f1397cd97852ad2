extension TestScheduler {
  /// Makes a publisher that delivers a line of marbles to each subscriber anew.
  ///
  /// - Parameters:
  ///   - marbles: The line, in the notation of ``Marbles``.
  ///   - values: The value of each character. Traps if one is missing, or if the line fails: a
  ///     failure needs an error.
  /// - Returns: The publisher.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let upstream = scheduler.cold("a-b-|", values: ["a": 1, "b": 2])
  /// let one = upstream.sink { print("one", $0, "at", scheduler.now) }
  /// scheduler.advance(by: 1)
  /// let two = upstream.sink { print("two", $0, "at", scheduler.now) }
  /// scheduler.advance(by: 10)
  /// print(upstream.subscriptions.map(\.subscribedAt))
  /// // Prints:
  /// // one 1 at 0
  /// // two 1 at 1
  /// // one 2 at 2
  /// // two 2 at 3
  /// // [0, 1]
  /// ```
  public func cold<Output>(
    _ marbles: Marbles, values: [Character: Output]
  ) -> MarblePublisher<Output, Never> {
    MarblePublisher(.trusted(marbles, error: nil) { values[$0] }, on: self)
  }

  /// Makes a publisher that delivers a line of marbles, which may fail, to each subscriber anew.
  ///
  /// - Parameters:
  ///   - marbles: The line, in the notation of ``Marbles``.
  ///   - values: The value of each character. Traps if one is missing.
  ///   - error: The error of `#`.
  /// - Returns: The publisher.
  public func cold<Output, Failure: Error>(
    _ marbles: Marbles, values: [Character: Output], error: Failure
  ) -> MarblePublisher<Output, Failure> {
    MarblePublisher(.trusted(marbles, error: error) { values[$0] }, on: self)
  }

  /// Makes a publisher that delivers the characters of a line of marbles to each subscriber anew.
  ///
  /// - Parameter marbles: The line, in the notation of ``Marbles``. Each character stands for
  ///   itself. Traps if the line fails: a failure needs an error.
  /// - Returns: The publisher.
  public func cold(_ marbles: Marbles) -> MarblePublisher<String, Never> {
    MarblePublisher(.trusted(marbles, error: nil) { String($0) }, on: self)
  }

  /// Makes a publisher that delivers the characters of a line of marbles, which may fail, to each
  /// subscriber anew.
  ///
  /// - Parameters:
  ///   - marbles: The line, in the notation of ``Marbles``. Each character stands for itself.
  ///   - error: The error of `#`.
  /// - Returns: The publisher.
  public func cold<Failure: Error>(
    _ marbles: Marbles, error: Failure
  ) -> MarblePublisher<String, Failure> {
    MarblePublisher(.trusted(marbles, error: error) { String($0) }, on: self)
  }
}
