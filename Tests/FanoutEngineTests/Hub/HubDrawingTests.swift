import FanoutEngine
import FanoutLifetime
import Foundation
import Testing

/// The drawing of the hub in the guide "How it works" has the parts that the hub has.
struct HubDrawingTests {
  private static let guide = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Docs/Contributors.docc/HowItWorks.md").standardized

  /// The lines of the guide's section about the hub.
  private func section() throws -> [Substring] {
    let lines = try String(contentsOf: Self.guide, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex(of: "## The hub"))
    return Array(lines[(start + 1)...].prefix { !$0.hasPrefix("## ") })
  }

  @Test func `the table names each stored property of the hub`() throws {
    let named = try section().filter { $0.hasPrefix("| `") }
      .compactMap { $0.split(separator: "`").dropFirst().first }.map(String.init)
    let stored = StoredProperty.all(of: Hub<Int, Never>.self).map(\.name)
    #expect(named.sorted() == stored.sorted())
    #expect(stored.count == 12)
  }

  @Test func `the drawing shows each part but the closures and the lock`() throws {
    let drawing = try section().drop { !$0.hasPrefix("```") }.dropFirst()
      .prefix { !$0.hasPrefix("```") }.joined(separator: "\n")
    let stored = StoredProperty.all(of: Hub<Int, Never>.self).map(\.name)
    #expect(stored.filter { !drawing.contains($0) } == ["reading", "takingUp", "inboxLock"])
  }
}
