/// The words for a reference on an edge.
struct Wording {
  let role: String
  let reference: String
  let until: [String]

  init(_ path: ReferencePath) {
    var until: [String] = []
    var role: String?
    for step in path.steps {
      let word = Vocabulary.word(of: step)?.word
      role = word?.role ?? step.name
      until += (word?.until ?? []).filter { $0 != .ownerRelease }.map(\.description)
    }
    self.role = role ?? "part"
    reference = path.steps.last?.name ?? ""
    self.until = Self.inOrder(until)
  }

  /// Events without repetition, in the order in which they are declared.
  static func inOrder(_ events: [String]) -> [String] {
    Ownership.Event.allCases.map(\.description).filter(events.contains)
  }

  /// `a, b or c`.
  static func alternatives(_ events: [String]) -> String {
    guard let last = events.last, events.count > 1 else { return events.first ?? "" }
    return events.dropLast().joined(separator: ", ") + " or " + last
  }

  /// A number of things: `1 more holder`, `2 more holders`.
  static func counted(_ number: Int, _ thing: String) -> String {
    "\(grouped(number)) \(thing)\(number == 1 ? "" : "s")"
  }

  /// A number with commas between its thousands.
  static func grouped(_ number: Int) -> String {
    var digits = ""
    for (place, digit) in String(number).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { digits.append(",") }
      digits.append(digit)
    }
    return String(digits.reversed())
  }
}
