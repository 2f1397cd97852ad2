import Foundation
import Testing

struct PatternTests {
  /// The folder of the package.
  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test("The page for other services has the code as it is")
  func code() throws {
    let page = try String(
      contentsOf: Self.package.appendingPathComponent("Pattern.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```swift\n// ").dropFirst()
    #expect(blocks.count == 4)
    for block in blocks {
      let lines = block.components(separatedBy: "```")[0].split(separator: "\n", maxSplits: 1)
      let source = try String(
        contentsOf: Self.package.appendingPathComponent(String(lines[0])), encoding: .utf8)
      #expect(source.contains(lines[1]), "\(lines[0]) has no longer:\n\(lines[1])")
    }
  }
}
