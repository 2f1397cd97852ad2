/// A readable account of the first difference between two lists.
struct FirstDifference<Element: Equatable> {
  private let expected: [Element]
  private let recorded: [Element]

  init(expected: [Element], recorded: [Element]) {
    self.expected = expected
    self.recorded = recorded
  }

  /// The first difference and its surroundings; nil if there is none.
  var text: String? {
    let count = max(expected.count, recorded.count)
    guard let first = (0..<count).first(where: { !isSame($0) }) else { return nil }
    let shown = max(0, first - 3)..<min(count, first + 6)
    var lines = ["the first difference is at index \(first)."]
    if shown.lowerBound > 0 { lines.append("  …") }
    lines += shown.map { line($0, mark: $0 == first ? ">" : " ") }
    if shown.upperBound < count { lines.append("  …") }
    return lines.joined(separator: "\n")
  }

  private func isSame(_ index: Int) -> Bool {
    index < expected.count && index < recorded.count && expected[index] == recorded[index]
  }

  private func line(_ index: Int, mark: String) -> String {
    if isSame(index) { return "\(mark) \(index): \(recorded[index])" }
    let (wanted, got) = (text(expected, index), text(recorded, index))
    return "\(mark) \(index): expected \(wanted), recorded \(got)"
  }

  private func text(_ list: [Element], _ index: Int) -> String {
    index < list.count ? "\(list[index])" : "nothing"
  }
}
