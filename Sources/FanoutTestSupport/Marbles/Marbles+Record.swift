extension Marbles {
  /// Draws a record of calls.
  ///
  /// Tick 0 is the scheduler's; a subscription is not drawn. In a record without times each event
  /// has a tick of its own. A value whose description is one letter or digit is drawn as that
  /// character. Other values get letters in order of appearance, from `a` on, so that the line
  /// shows which are alike.
  ///
  /// - Parameter events: The record, for example ``TestSubscriber/timedEvents``.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let subscriber = TestSubscriber<Int, Never>(scheduler: scheduler)
  /// scheduler.cold("1-2-(34)|", values: ["1": 1, "2": 2, "3": 3, "4": 4])
  ///   .map { $0 * 3 }
  ///   .subscribe(subscriber)
  /// scheduler.advance(by: 10)
  /// print(Marbles(subscriber.timedEvents))
  /// // Prints:
  /// // 3-6-(9a)|
  /// ```
  public init<Input, Failure: Error>(_ events: [TimedEvent<Input, Failure>]) {
    self = MarbleDrawing(events).marbles
  }

  /// Draws a record of calls, with given characters for values.
  ///
  /// A value that is not among the given ones is drawn as without them, by a character that stands
  /// for none of those.
  ///
  /// - Parameters:
  ///   - events: The record.
  ///   - values: The value for which each character stands.
  public init<Input: Equatable, Failure: Error>(
    _ events: [TimedEvent<Input, Failure>], values: [Character: Input]
  ) {
    self = MarbleDrawing(events, values: values).marbles
  }
}

extension MarbleDrawing {
  init<Input: Equatable, Failure: Error>(
    _ events: [TimedEvent<Input, Failure>], values: [Character: Input],
    expected: Set<Character> = []
  ) {
    let inOrder = values.filter { !MarbleParser.reserved.contains($0.key) }
      .sorted { $0.key < $1.key }
    self.init(events, given: Set(values.keys), expected: expected) { value in
      inOrder.first { $0.value == value }?.key
    }
  }
}
