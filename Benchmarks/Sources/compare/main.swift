import Foundation
import Workloads

let arguments = CommandLine.arguments.dropFirst()
let words = arguments.filter { !$0.hasPrefix("-") }
let options = arguments.filter { $0.hasPrefix("-") }
let isWriting = options.contains("--write")

if !options.allSatisfy({ $0 == "--write" }) {
  print(
    """
    compare                     measures everything
    compare WORD ...            measures the workloads whose names contain one of the words
    compare --write             measures everything, and writes the page and the chart in Docs
    compare --write WORD ...    writes the sections of the page of which the words name all workloads
    """)
  exit(options.contains("--help") || options.contains("-h") ? 0 : 64)
}

let isWanted = { (name: String) in words.isEmpty || words.contains { name.contains($0) } }

var sections: [Section] = []
ConsoleTable.printHeadings()
for (title, workloads) in Workload.sections {
  let lines = workloads.filter { isWanted($0.name) }.map { workload in
    let line = Measurement(workload)
    ConsoleTable.print(line)
    return line
  }
  sections.append(
    Section(title: title, isWhole: lines.count == workloads.count, measurements: lines))
}

let memory = MemoryMeasure.all.filter { Allocator.isCounted && isWanted($0.name) }.map { measure in
  let line = Measurement(measure)
  ConsoleTable.print(line)
  return line
}
sections.append(
  Section(
    title: "Memory", isWhole: memory.count == MemoryMeasure.all.count, measurements: memory))

let verdicts = sections.flatMap(\.measurements).flatMap(\.verdicts)
print("\(verdicts.filter { $0 }.count) of \(verdicts.count) limits are met.")
let article = Article(sections: sections)
if isWriting, words.isEmpty { try article.write() }
if isWriting, !words.isEmpty { try article.writeSections() }
