import Foundation

/// The runs in `Benchmarks/Runs`: one file for each processor.
struct RecordedRuns {
  /// A run on another processor, and the letter that stands for it.
  struct Other {
    let letter: String
    let run: RecordedRun
  }

  let folder: URL
  let processor: Processor
  let others: [Other]

  static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Runs")

  /// Reads the files in a folder; the error names a file that is not such a run.
  init(in folder: URL = Self.folder, on processor: Processor = .current) throws {
    self.folder = folder
    self.processor = processor
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let letters = "BCDEFGHIJKLMNOPQRSTUVWXYZ".map(String.init)
    let files = names.filter { $0.hasSuffix(".json") && $0 != processor.fileName }.sorted()
    others = try zip(letters, files).map { letter, name in
      do {
        let data = try Data(contentsOf: folder.appending(path: name))
        return Other(letter: letter, run: try JSONDecoder().decode(RecordedRun.self, from: data))
      } catch {
        throw Unreadable(file: name, reason: "\(error)")
      }
    }
  }

  struct Unreadable: Error, CustomStringConvertible {
    let file: String
    let reason: String

    var description: String { "Runs/\(file) is no run that can be read: \(reason)" }
  }

  /// Writes the file of this processor anew, and returns its path.
  func record(_ lines: [Measurement], _ costs: Costs) throws -> String {
    let ratios = lines.filter { $0.unit == .nanoseconds }.compactMap { line in
      RecordedRun.Ratios(line).map { (line.name, $0) }
    }
    let run = RecordedRun(
      processor: processor.name, caches: processor.caches, costs: costs,
      date: Date.now.formatted(.iso8601.year().month().day()), commit: Machine.commit,
      workloads: Dictionary(uniqueKeysWithValues: ratios))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: processor.fileName)
    let text = try run.text()
    _ = try JSONDecoder().decode(RecordedRun.self, from: Data(text.utf8))
    try text.write(to: file, atomically: true, encoding: .utf8)
    return file.path
  }
}
