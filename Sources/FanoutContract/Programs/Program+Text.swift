internal import Fanout

extension DeliveryContract.Program {
  /// The program as Swift.
  var text: String {
    var lines = ["DeliveryContract.Program(", "  steps: ["]
    lines += steps.map { "    \($0)," }
    lines.append(reactions.isEmpty ? "  ])" : "  ],")
    guard !reactions.isEmpty else { return lines.joined(separator: "\n") }
    lines.append("  reactions: [")
    let texts = moments.map { "    \($0): \(reactions[$0] ?? [])" }
    lines.append(texts.joined(separator: ",\n"))
    lines.append("  ])")
    return lines.joined(separator: "\n")
  }

  /// Returns a test that runs this program alone, as Swift to paste.
  ///
  /// - Parameters:
  ///   - name: The test's name.
  ///   - call: The check, in which `program` stands for this program.
  /// - Returns: The test.
  func test(named name: String, calling call: String) -> String {
    let (text, call) = (text.indented, call.indented)
    return """
      @Test func `\(name)`() throws {
        let program = \(text)
        \(call)
      }
      """
  }
}

extension DeliveryContract.Step {
  /// The step as Swift.
  var text: String {
    switch self {
    case .send(let value): ".send(\(value))"
    case .finish: ".finish"
    case .fail: ".fail"
    case .subscribe(let subscriber, let demand): ".subscribe(\(subscriber), \(demand.text))"
    case .attach(let subscriber, let demand): ".attach(\(subscriber), \(demand.text))"
    case .request(let subscriber, let demand): ".request(\(subscriber), \(demand.text))"
    case .allow(let demand): ".allow(\(demand.text))"
    case .cancel(let subscriber): ".cancel(\(subscriber))"
    case .connect: ".connect"
    case .disconnect: ".disconnect"
    }
  }
}

extension DeliveryContract.Moment {
  /// The moment as Swift.
  var text: String {
    switch call {
    case .subscription: ".init(\(subscriber), .subscription)"
    case .value(let count): ".init(\(subscriber), .value(\(count)))"
    case .asked(let count): ".upstreamAsked(\(count))"
    case .completion: ".init(\(subscriber), .completion)"
    }
  }
}

extension Subscribers.Demand {
  /// The demand as Swift.
  fileprivate var text: String {
    guard let max else { return ".unlimited" }
    return max == 0 ? ".none" : ".max(\(max))"
  }
}

extension String {
  /// The text with all lines but the first indented.
  fileprivate var indented: String {
    split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\n  ")
  }
}
