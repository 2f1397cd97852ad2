internal import Fanout
internal import FanoutTestSupport

/// The place at which a publisher under test departs from the contract.
struct Difference {
  /// A breach of the contract, in words, with the rules that it breaks.
  struct Broken {
    let text: String
    let rules: String

    init(_ text: String, rules: String) {
      self.text = text
      self.rules = rules
    }
  }

  let broken: Broken
  /// The step at which the difference shows.
  let when: String
  let expected: [Int: [Event]]
  let actual: [Int: [Event]]

  /// The expected and the actual events of every subscriber.
  var logs: String {
    Set(expected.keys).union(actual.keys).sorted().map { name in
      """
      subscriber \(name)
        expected \(expected[name] ?? [])
        actual   \(actual[name] ?? [])
      """
    }.joined(separator: "\n")
  }
}

extension Difference.Broken {
  /// Compares the events of one subscriber; nil if they are equal.
  init?(_ subscriber: Int, expected: [Event], actual: [Event]) {
    guard expected != actual else { return nil }
    let same = zip(expected, actual).prefix { $0 == $1 }.count
    let who = "subscriber \(subscriber)"
    let due = expected.dropFirst(same).first
    let got = actual.dropFirst(same).first
    switch (due, got) {
    case (let due?, nil):
      self.init("\(who) does not get \(due)", rules: due.isEnd ? "D9" : "D6 D8 D16")
    case (let due?, let got?) where expected.contains(got) && !actual[..<same].contains(got):
      self.init("\(who) gets \(got) before \(due)", rules: "D2 D3 D6 D9")
    case (_, let got?):
      let again = actual[..<same].contains(got)
      self.init(
        "\(who) gets \(got)\(again ? " again" : ", which it must not get")",
        rules: got.isEnd ? "D9 D10" : "D6 D7 D16")
    case (nil, nil): return nil
    }
  }

  /// Describes a subscriber's observation that no publisher may cause.
  init(_ subscriber: Int, violation: String) {
    let rules =
      if violation.contains("in a call that had not returned") {
        "D1 D3"
      } else if violation.contains("cancel()") {
        "D7"
      } else if violation.contains("asked for") {
        "D8"
      } else if violation.contains("terminal") {
        "D9"
      } else {
        "D6"
      }
    self.init("subscriber \(subscriber): \(violation)", rules: rules)
  }

  /// Compares the sets of retained subscribers; nil if they are equal.
  init?(heldByModel expected: Set<Int>, held actual: Set<Int>) {
    if let name = actual.subtracting(expected).min() {
      self.init("subscriber \(name) is retained after its cancel or its end", rules: "O2")
    } else if let name = expected.subtracting(actual).min() {
      self.init("subscriber \(name) is not retained any more", rules: "O2 O3")
    } else {
      return nil
    }
  }

  /// Compares the calls of the upstream; nil if they are equal.
  init?(expected: UpstreamCalls, actual: UpstreamCalls) {
    guard expected != actual else { return nil }
    self.init(
      "the upstream saw \(actual), which must be \(expected)", rules: "D12 D17 L1 L3 L4")
  }

  /// Compares the sets of values that are alive; nil if they are equal.
  init?(valuesOfModel expected: Set<Int>, values actual: Set<Int>) {
    guard expected != actual else { return nil }
    self.init(
      "the values \(actual.sorted()) are alive, which must be \(expected.sorted())",
      rules: "L2 L3 O6")
  }
}

extension RecordedEvent {
  fileprivate var isEnd: Bool { if case .completion = self { true } else { false } }
}
