import Foundation
import Workloads

let words = CommandLine.arguments.dropFirst().filter { !$0.hasPrefix("-") }
let isWanted = { (name: String) in words.isEmpty || words.contains { name.contains($0) } }

print(ConsoleTable.line(Measurement.headings))
var measurements: [Measurement] = []
for workload in Workload.all where isWanted(workload.name) {
  let measurement = Measurement(workload)
  measurements.append(measurement)
  print(ConsoleTable.line(measurement.cells))
  // A line appears as soon as it is measured.
  fflush(nil)
}
for measure in MemoryMeasure.all where Allocator.isCounted && isWanted(measure.name) {
  let measurement = Measurement(measure)
  measurements.append(measurement)
  print(ConsoleTable.line(measurement.cells))
  fflush(nil)
}
