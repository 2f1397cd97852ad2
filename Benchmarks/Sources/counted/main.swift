import Foundation
import MeasureSupport
import Workloads

// What `tools/instruction-counts` runs while the instructions of the whole program are counted. It runs
// each workload in two copies of this process, for once and for twice as many deliveries: the difference
// is theirs alone. In copies, because nearly all that a start takes under a counter is the start itself.

let names = CommandLine.arguments.dropFirst()
if names.isEmpty {
  for workload in Workload.instructionCounted { print(workload.name) }
  for workload in Workload.instructionShown { print(workload.name, "varies") }
}
let workloads = Workload.instructionCounted + Workload.instructionShown
for name in names {
  guard let workload = workloads.first(where: { $0.name == name }) else {
    print("There is no workload \(name). Without a name, the program lists them.")
    exit(1)
  }
  for times in 1...2 {
    let copy = process_copy()
    if copy == 0 {
      let run = workload.fanout(workload.instructionCountedAmount * times)
      run.body()
      print(getpid(), name, run.deliveries)
      exit(0)
    }
    guard process_copy_wait(copy) == 0 else {
      print("\(name) does not run.")
      exit(1)
    }
  }
}
