import Foundation

/// A class of the library, as its source has it.
struct SourceClass {
  let name: String
  let isFinal: Bool
  let listsItsReferences: Bool
  let hasHiddenReference: Bool
  let superclass: String?
  let saysWhenItIsMade: Bool

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
      let body = body(of: index, in: lines)
      let name = String(match.3)
      return SourceClass(
        name: name, isFinal: match.2.contains("final"),
        listsItsReferences: listing.contains(name) || body.contains { isList($0) },
        hasHiddenReference: body.contains { isHidden($0, depth: match.1.count + 2) },
        superclass: superclass(lines[index...].prefix(4).joined(separator: " ")),
        saysWhenItIsMade: body.contains { $0.contains("noteCreation(of: self") })
    }
  }

  /// The lines of a class without those of the classes in it.
  private static func body(of start: Int, in lines: [Substring]) -> [Substring] {
    func end(_ index: Int) -> Int {
      let indentation = lines[index].prefix { $0 == " " }
      return lines[index...].firstIndex { $0 == indentation + "}" } ?? lines.endIndex
    }
    var body: [Substring] = []
    var index = start + 1
    while index < end(start) {
      if lines[index].contains(/^ *[a-z ]*\bclass [A-Z]/) { index = end(index) }
      body.append(lines[index])
      index += 1
    }
    return body
  }

  /// What stands behind the first colon that is in no angle brackets.
  private static func superclass(_ line: String) -> String? {
    var depth = 0
    for index in line.indices {
      if depth == 0, line[index] == "{" { return nil }
      if line[index] == "<" { depth += 1 }
      if line[index] == ">" { depth -= 1 }
      guard line[index] == ":", depth == 0 else { continue }
      return line[index...].firstMatch(of: /\w+/).map { String($0.0) }
    }
    return nil
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
