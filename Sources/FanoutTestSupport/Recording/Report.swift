internal import Fanout

/// A readable text of a record: the violations, the marbles and every event.
struct Report<Input, Failure: Error> {
  private let events: [TimedEvent<Input, Failure>]
  private let violations: [String]

  init(_ events: [TimedEvent<Input, Failure>], violations: [String]) {
    self.events = events
    self.violations = violations
  }

  var text: String { lines.joined(separator: "\n") }

  private var lines: [String] {
    var lines: [String] = []
    if !violations.isEmpty {
      lines.append("against the contract:")
      lines += violations.map { "  " + $0 }
    }
    guard !events.isEmpty else { return lines + ["recorded: nothing"] }
    if let marbles = MarbleDrawing(events).text, !marbles.isEmpty {
      lines.append("marbles: \(marbles)")
    }
    lines.append("recorded:")
    return lines + shortened(events.map { "  \($0)" })
  }

  /// Returns the beginning and the end of a list that is too long to read.
  private func shortened(_ lines: [String]) -> [String] {
    let most = 100
    guard lines.count > 2 * most else { return lines }
    let left = lines.count - 2 * most
    return lines.prefix(most) + ["  … \(left) more …"] + lines.suffix(most)
  }
}
