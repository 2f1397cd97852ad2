import Foundation
import TestFixtures
import Testing

struct OperatorSampleTests {
  private static let operators = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/FanoutCore/Operators").standardized

  private static let declaration = "  public struct "

  /// The names of the publishers in the folder of the operators.
  private func declared() throws -> Set<String> {
    let files = FileManager.default.enumerator(at: Self.operators, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      for line in lines where line.hasPrefix(Self.declaration) {
        names.insert(String(line.dropFirst(Self.declaration.count).prefix { $0 != "<" }))
      }
    }
    return names
  }

  @Test func `each operator of the core has a sample`() throws {
    let (declared, named) = (try declared(), OperatorSample.all.map(\.name))
    #expect(declared.subtracting(named) == [])
    #expect(Set(named).subtracting(declared) == ["chain"])
    #expect(Set(named).count == named.count)
  }
}
