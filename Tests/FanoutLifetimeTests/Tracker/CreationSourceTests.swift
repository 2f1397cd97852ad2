import Foundation
import Testing

/// What the sources say about the classes whose making a tracker sees.
struct CreationSourceTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../Sources")
    .standardizedFileURL

  @Test func `every class says when it is made, or its superclass does`() throws {
    var superclasses: [String: String] = [:]
    var telling: Set<String> = []
    var classes: [(name: String, tells: Bool)] = []
    for line in try lines() {
      if let match = line.firstMatch(of: /\bclass ([A-Z]\w+)(?:<.*?>)?(?:\s*:\s*(\w+))?/) {
        classes.append((String(match.1), false))
        superclasses[String(match.1)] = match.2.map(String.init)
      }
      guard line.contains("noteCreation(of: self"), let last = classes.indices.last else {
        continue
      }
      classes[last].tells = true
      telling.insert(classes[last].name)
    }
    #expect(classes.count > 40)
    // Closures in a box: one is made at a cancel, one before a connection.
    let silent: Set = ["ReleaseHook", "Cell"]
    let missing = classes.filter { name, tells in
      var ancestor = superclasses[name]
      while let known = ancestor, !telling.contains(known) { ancestor = superclasses[known] }
      return !tells && ancestor == nil && !silent.contains(name)
    }
    #expect(missing.map(\.name) == [])
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
