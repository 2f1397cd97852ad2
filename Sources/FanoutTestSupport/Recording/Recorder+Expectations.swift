extension Recorder where Input: Equatable {
  /// Compares the values recorded so far with the expected ones.
  ///
  /// - Parameter expected: All expected values, in order.
  /// - Throws: ``RecordingError`` if they differ, with the first difference marked.
  public func expectValues(_ expected: [Input]) throws {
    let difference = FirstDifference(expected: expected, recorded: values)
    try fail("Other values were expected", difference)
  }

  /// Compares the events recorded so far, and their times, with a line of marbles.
  ///
  /// Without a scheduler each event counts as one tick.
  ///
  /// - Parameters:
  ///   - expected: The line.
  ///   - values: The value of each character. By default a value whose description is one letter or
  ///     digit stands for itself; any other value is a difference.
  /// - Throws: ``RecordingError`` if they differ, with the first difference marked.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let recorder = scheduler.cold("a-b-|").record(scheduler: scheduler)
  /// try scheduler.run()
  /// do { try recorder.expectMarbles("a-c-|") } catch { print(error) }
  /// // Prints:
  /// // Other marbles were expected; the first difference is marked.
  /// //   expected: a-c-|
  /// //   recorded: a-b-|
  /// //               ^
  /// // marbles: a-b-|
  /// // recorded:
  /// //   0: subscription
  /// //   0: a
  /// //   2: b
  /// //   4: finished
  /// ```
  public func expectMarbles(_ expected: Marbles, values: [Character: Input] = [:]) throws {
    let characters = expected.marks.flatMap { Array($0.sign.description) }
    let drawing = MarbleDrawing(timedEvents, values: values, expected: Set(characters))
    guard drawing.marbles != expected else { return }
    let wanted = expected.description(upToTick: MarbleDrawing.lastTickToDraw)
    guard let wanted, let recorded = drawing.text else {
      // The lines are too long to print.
      return try fail(
        "Other marbles were expected",
        FirstDifference(expected: expected.marks, recorded: drawing.marbles.marks))
    }
    let same = zip(wanted, recorded).prefix { $0 == $1 }.count
    throw RecordingError(
      reason: .different,
      description: """
        Other marbles were expected; the first difference is marked.
          expected: \(wanted)
          recorded: \(recorded)
                    \(String(repeating: " ", count: same))^
        \(report)
        """)
  }
}

extension Recorder where Input: Equatable, Failure: Equatable {
  /// Compares the values and the terminal recorded so far with the expected ones.
  ///
  /// - Parameter expected: All expected events, in order, without the subscription.
  /// - Throws: ``RecordingError`` if they differ, with the first difference marked.
  public func expectEvents(_ expected: [Event]) throws {
    let recorded = events.filter { $0 != .subscription }
    let difference = FirstDifference(
      expected: expected.filter { $0 != .subscription }, recorded: recorded)
    try fail("Other events were expected", difference)
  }
}

extension Recorder {
  fileprivate func fail<Element>(_ message: String, _ difference: FirstDifference<Element>) throws {
    guard let text = difference.text else { return }
    throw RecordingError(reason: .different, description: "\(message); \(text)\n\(report)")
  }
}
