extension TestScheduler {
  /// Makes a publisher that begins with a line of marbles now.
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
  /// let upstream = scheduler.hot("a-b-|", values: ["a": 1, "b": 2])
  /// scheduler.advance(by: 1)
  /// let late = upstream.sink { print("late", $0, "at", scheduler.now) }
  /// scheduler.advance(by: 10)
  /// // Prints:
  /// // late 2 at 2
  /// ```
  public func hot<Output>(
    _ marbles: Marbles, values: [Character: Output]
  ) -> HotMarblePublisher<Output, Never> {
    HotMarblePublisher(.trusted(marbles, error: nil) { values[$0] }, on: self)
  }

  /// Makes a publisher that begins with a line of marbles, which may fail, now.
  ///
  /// - Parameters:
  ///   - marbles: The line, in the notation of ``Marbles``.
  ///   - values: The value of each character. Traps if one is missing.
  ///   - error: The error of `#`.
  /// - Returns: The publisher.
  public func hot<Output, Failure: Error>(
    _ marbles: Marbles, values: [Character: Output], error: Failure
  ) -> HotMarblePublisher<Output, Failure> {
    HotMarblePublisher(.trusted(marbles, error: error) { values[$0] }, on: self)
  }

  /// Makes a publisher that begins with the characters of a line of marbles now.
  ///
  /// - Parameter marbles: The line, in the notation of ``Marbles``. Each character stands for
  ///   itself. Traps if the line fails: a failure needs an error.
  /// - Returns: The publisher.
  public func hot(_ marbles: Marbles) -> HotMarblePublisher<String, Never> {
    HotMarblePublisher(.trusted(marbles, error: nil) { String($0) }, on: self)
  }

  /// Makes a publisher that begins with the characters of a line of marbles, which may fail, now.
  ///
  /// - Parameters:
  ///   - marbles: The line, in the notation of ``Marbles``. Each character stands for itself.
  ///   - error: The error of `#`.
  /// - Returns: The publisher.
  public func hot<Failure: Error>(
    _ marbles: Marbles, error: Failure
  ) -> HotMarblePublisher<String, Failure> {
    HotMarblePublisher(.trusted(marbles, error: error) { String($0) }, on: self)
  }
}
