import Foundation

/// A class of the library, as its source has it.
struct SourceClass {
  let name: String
  let isFinal: Bool
  let listsItsReferences: Bool
  let hasHiddenReference: Bool

  private static let root = URL(filePath: #filePath).appending(path: "../../../../Sources")
    .standardizedFileURL

  /// The classes of the modules whose objects the facts are about.
  static func all() throws -> [SourceClass] {
    try ["FanoutEngine", "FanoutCore", "Fanout"].flatMap { module in
      let files = FileManager.default.enumerator(
        at: root.appending(path: module), includingPropertiesForKeys: nil)
      let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      let text = try sources.map { try String(contentsOf: $0, encoding: .utf8) }
        .joined(separator: "\n")
      return classes(in: text)
    }
  }

  private static func classes(in text: String) -> [SourceClass] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let listing = namesThatList(lines)
    return lines.indices.compactMap { index in
      guard let match = lines[index].firstMatch(of: /^( *)([a-z ]*)\bclass ([A-Z]\w+)/) else {
        return nil
      }
      let end = lines[index...].firstIndex { $0 == match.1 + "}" } ?? lines.endIndex
      let body = lines[index..<end]
      let name = String(match.3)
      return SourceClass(
        name: name, isFinal: match.2.contains("final"),
        listsItsReferences: listing.contains(name) || body.contains { isList($0) },
        hasHiddenReference: body.contains { isHidden($0, depth: match.1.count + 2) })
    }
  }

  /// The types of which an extension lists references.
  private static func namesThatList(_ lines: [Substring]) -> Set<String> {
    var names: Set<String> = []
    var current = ""
    for line in lines {
      if let match = line.firstMatch(of: /^extension (?:\w+\.)*(\w+)/) { current = String(match.1) }
      if line == "}" { current = "" }
      if isList(line) { names.insert(current) }
    }
    return names
  }

  private static func isList(_ line: Substring) -> Bool {
    line.contains(/var \w*[rR]eferences: \[HeldReference\]/)
  }

  /// Whether a line declares a stored property that reflection cannot follow.
  private static func isHidden(_ line: Substring, depth: Int) -> Bool {
    guard let match = line.firstMatch(of: /^( *)[a-zA-Z@() ]*\b(?:let|var) \w+(.*)$/),
      match.1.count == depth, !match.2.contains("{")
    else { return false }
    return match.2.contains(/->|Lock|Pointer|Unmanaged|GuardedReference|ReceiverStage|Deliver\b/)
  }
}
