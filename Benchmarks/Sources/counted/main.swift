import Foundation
import MeasureSupport
import Workloads

// What `tools/instruction-counts` runs while the instructions of the whole program are counted. It runs
// each workload in copies of this process, for several numbers of deliveries: the difference
// is theirs alone. In copies, because nearly all that a start takes under a counter is the start itself.

let names = CommandLine.arguments.dropFirst()
if names.isEmpty {
  for workload in Workload.instructionCounted { print(workload.name) }
  for workload in Workload.instructionShown { print(workload.name, "varies") }
  for workload in Workload.crowds { print(workload.name, "crowd") }
}

/// Runs a workload in a copy of this process, which says its number and how many deliveries it made.
func run(_ workload: Workload, _ amount: Int) {
  let copy = process_copy()
  if copy == 0 {
    let run = workload.fanout(amount)
    run.body()
    print(getpid(), workload.name, run.deliveries)
    exit(0)
  }
  guard process_copy_wait(copy) == 0 else {
    print("\(workload.name) does not run.")
    exit(1)
  }
}

let workloads = Workload.instructionCounted + Workload.instructionShown
for name in names {
  if let workload = workloads.first(where: { $0.name == name }) {
    for times in 1...2 { run(workload, workload.instructionCountedAmount * times) }
  } else if let crowd = Workload.crowds.first(where: { $0.name == name }) {
    for count in [0, 1_000, 4_000] { run(crowd, count) }
  } else {
    print("There is no workload \(name). Without a name, the program lists them.")
    exit(1)
  }
}
