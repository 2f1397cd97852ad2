/// The first step after which Fanout and the reference differ.
package struct Difference: Equatable, Sendable, CustomStringConvertible {
  /// The number of steps performed.
  package let step: Int
  /// A text that says what the contract requires, and what Fanout does.
  package let text: String

  package var description: String { "after step \(step): \(text)" }
}

extension Program {
  /// The first difference between what the contract requires and what Fanout does, if there is one.
  package var difference: Difference? {
    let (reference, fanout) = (ReferenceSharing(terms), FanoutSharing(terms))
    defer { fanout.leave() }
    for (index, step) in steps.enumerated() {
      reference.perform(step)
      fanout.perform(step)
      let (required, actual) = (reference.observation, fanout.observation)
      guard required == actual else {
        return Difference(step: index + 1, text: required.difference(from: actual))
      }
    }
    return nil
  }
}

extension Observation {
  /// Describes what differs from what Fanout does.
  fileprivate func difference(from actual: Observation) -> String {
    var parts: [String] = []
    for index in events.indices where events[index] != actual.events[index] {
      parts.append(
        """
        subscriber number \(index + 1) should have \(events[index].map(\.text)) and has \
        \(actual.events[index].map(\.text))
        """
      )
    }
    func compare(_ name: String, _ required: some Equatable, _ actual: some Equatable) {
      let (required, actual) = ("\(required)", "\(actual)")
      if required != actual { parts.append("\(name) should be \(required) and is \(actual)") }
    }
    compare("the accounts", accounts.map(\.text), actual.accounts.map(\.text))
    compare("replayed", replayed, actual.replayed)
    compare("the demand", asked.map { $0 ?? -1 }, actual.asked.map { $0 ?? -1 })
    compare("cached", cached, actual.cached)
    compare("the cancels", cancels, actual.cancels)
    compare("isConnected", isConnected, actual.isConnected)
    compare("isEnded", isEnded, actual.isEnded)
    return parts.joined(separator: "; ")
  }
}

extension Observation.Account {
  fileprivate var text: String {
    "\(label ?? "nil"): \(waiting) waiting, \(missed) missed, \(rejoins) rejoins, \(conflated) conflated"
  }
}

extension Observation.Event {
  fileprivate var text: String {
    switch self {
    case .value(let number): "\(number)"
    case .replayed(let number): "replayed \(number)"
    case .caughtUp: "caught up"
    case .live(let number): "live \(number)"
    case .missed(let count): "missed \(count.map { "\($0)" } ?? "some")"
    case .finished: "finished"
    case .failed(let failure): "failed: \(failure)"
    }
  }
}
