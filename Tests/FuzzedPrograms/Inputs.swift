internal import Foundation

/// An input of a fuzzer, as it lies in its corpus.
package struct Input: Sendable {
  package let name: String
  package let bytes: [UInt8]
}

/// Returns the inputs in a folder of the fuzzers' package, in the order of their names.
package func inputs(in corpus: String) throws -> [Input] {
  let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  let folder = root.appending(path: "Fuzz").appending(path: corpus)
  return try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false))
    .sorted()
    .map { try Input(name: $0, bytes: Array(Data(contentsOf: folder.appending(path: $0)))) }
}
