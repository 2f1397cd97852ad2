import Foundation
import Testing

/// What the sources say about the classes whose making a tracker sees.
struct CreationSourceTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../Sources")
    .standardizedFileURL

  private struct Class {
    let name: String
    let superclass: String?
    let indentation: Int
    var tells = false
  }

  @Test func `every class says when it is made, or its superclass does`() throws {
    let classes = try classes()
    #expect(classes.count > 40)
    let telling = Set(classes.filter(\.tells).map(\.name))
    let superclasses = Dictionary(
      classes.map { ($0.name, $0.superclass) }, uniquingKeysWith: { first, _ in first })
    // Closures in a box: one is made at a cancel, one before a connection.
    let silent: Set = ["ReleaseHook", "Cell"]
    let missing = classes.filter { made in
      var ancestor = made.superclass
      while let known = ancestor, !telling.contains(known) { ancestor = superclasses[known] ?? nil }
      return !made.tells && ancestor == nil && !silent.contains(made.name)
    }
    #expect(missing.map(\.name) == [])
  }

  private func classes() throws -> [Class] {
    var classes: [Class] = []
    // The classes whose braces are open, the innermost last.
    var open: [Int] = []
    for line in try lines() where !line.contains("//") {
      let indentation = line.prefix { $0 == " " }.count
      let plain = withoutGenerics(String(line))
      if let match = plain.firstMatch(of: /^[ @a-z()]*\bclass ([A-Z]\w+)(?:\s*:\s*(\w+))?/) {
        classes.append(
          Class(
            name: String(match.1), superclass: match.2.map(String.init), indentation: indentation))
        open.append(classes.count - 1)
      }
      guard let innermost = open.last else { continue }
      if line.contains("noteCreation(of: self") { classes[innermost].tells = true }
      if line.dropFirst(indentation) == "}", classes[innermost].indentation == indentation {
        open.removeLast()
      }
    }
    return classes
  }

  private func withoutGenerics(_ line: String) -> String {
    var line = line
    while let match = line.firstMatch(of: /<[^<>]*>/) { line.removeSubrange(match.range) }
    return line
  }

  /// The lines of the modules whose objects are counted.
  private func lines() throws -> [Substring] {
    try ["FanoutEngine", "FanoutCore", "Fanout"].flatMap { module in
      let files = FileManager.default.enumerator(
        at: Self.root.appending(path: module), includingPropertiesForKeys: nil)
      return try (files?.compactMap { $0 as? URL } ?? [])
        .filter { $0.pathExtension == "swift" }
        .flatMap { try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") }
    }
  }
}
