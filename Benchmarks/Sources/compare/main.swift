import Foundation
import Workloads

let arguments = CommandLine.arguments.dropFirst()
let words = arguments.filter { !$0.hasPrefix("-") }
let options = arguments.filter { $0.hasPrefix("-") }
let isWriting = options.contains("--write")
let isRecording = options.contains("--record")

if !options.allSatisfy({ ["--write", "--record"].contains($0) }) || isRecording && !words.isEmpty {
  if isRecording, !words.isEmpty { print("--record measures everything: it takes no words.") }
  print(
    """
    compare                     measures everything
    compare WORD ...            measures the workloads whose names contain one of the words
    compare --write             measures everything, and writes the page of the guides
    compare --write WORD ...    writes the sections of the page of which the words name all workloads
    compare --record            measures everything, and writes the ratios to this processor's file in Runs;
                                with --write also the page
    """)
  exit(options.contains("--help") || options.contains("-h") ? 0 : 64)
}

let isWanted = { (name: String) in words.isEmpty || words.contains { name.contains($0) } }

let runs: RecordedRuns
do {
  runs = try RecordedRuns()
} catch {
  print(error)
  exit(65)
}
if isRecording, Machine.load > 0.5 {
  print("Other programs are at work, load \(Machine.load): ratios of a busy machine say little.")
}
let costs = Costs.measure()
ConsoleTable.print(runs.processor, costs, runs.others)

var sections: [Section] = []
for (title, workloads) in Workload.sections {
  let table = ConsoleTable(title: title)
  let wanted = workloads.filter { isWanted($0.name) }
  if !wanted.isEmpty { table.printHeadings() }
  let lines = wanted.map { workload in
    let line = Measurement(workload, with: costs.locks)
    table.print(line, runs.elsewhere(line))
    return line
  }
  sections.append(
    Section(title: title, isWhole: lines.count == workloads.count, measurements: lines))
}

let memoryTable = ConsoleTable(title: "Memory")
let wantedMemory = MemoryMeasure.all.filter { Allocator.isCounted && isWanted($0.name) }
if !wantedMemory.isEmpty { memoryTable.printHeadings() }
let memory = wantedMemory.map { measure in
  let line = Measurement(measure)
  memoryTable.print(line, [])
  return line
}
sections.append(
  Section(
    title: memoryTable.title, isWhole: memory.count == MemoryMeasure.all.count,
    measurements: memory))

let lines = sections.flatMap(\.measurements)
let verdicts = lines.flatMap(\.verdicts)
print("\(verdicts.filter { $0 }.count) of \(verdicts.count) limits are met.")
for other in runs.others {
  let there = lines.compactMap { Elsewhere($0, on: other) }
  let met = there.flatMap(\.verdicts)
  guard !met.isEmpty else { continue }
  print("On \(other.letter) \(met.filter { $0 }.count) of the \(met.count) measured there.")
  for missed in there where missed.verdicts.contains(false) {
    print("    not \(missed.line.name): × floor \(missed.floorRatio), × peer \(missed.peerRatio)")
  }
}

if isRecording {
  let costsAtTheEnd = Costs.measure()
  if costsAtTheEnd.differs(from: costs) {
    print("The processor is not as fast as at the start: other programs were at work.")
  }
  print("Written: \(try runs.record(lines, costs))")
}
let article = Article(sections: sections, costs: costs, runs: runs)
if isWriting, words.isEmpty { try article.write() }
if isWriting, !words.isEmpty { try article.writeSections() }
