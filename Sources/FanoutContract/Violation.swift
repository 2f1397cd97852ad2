extension DeliveryContract {
  /// A violation of the contract by the type under test.
  public struct Violation: Error, Sendable, CustomStringConvertible {
    /// The problem, in one sentence.
    public let summary: String
    /// The numbers of the rules that it breaks.
    public let rules: String
    /// The seed of the program that found it; nil if no random program was needed.
    public let seed: UInt64?
    /// The shortest program that shows it; nil if none is needed.
    public let program: Program?
    /// The step at which it shows, and the expected and actual events of every subscriber.
    public let details: String
    /// A test that shows it, as Swift to paste.
    public let test: String

    /// The whole violation, over several lines.
    public var description: String {
      let again = seed.map {
        "Found with seed \($0): `seed: \($0)` or FANOUT_SEED=\($0) finds it again."
      }
      return [
        "The contract is broken (\(rules)): \(summary).", details, again,
        test.isEmpty ? nil : "As a test:\n\n\(test)",
      ]
      .compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }
  }
}
