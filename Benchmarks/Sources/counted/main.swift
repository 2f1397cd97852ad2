import Workloads

// What `tools/instruction-counts` runs while the instructions of the whole program are counted. It
// runs it twice, for once and for twice as many deliveries: the difference is theirs alone.

let arguments = CommandLine.arguments.dropFirst()
if arguments.isEmpty {
  for workload in Workload.instructionCounted { print(workload.name) }
} else if let workload = Workload.instructionCounted.first(where: { $0.name == arguments.first }),
  let times = arguments.last.flatMap({ Int($0) })
{
  let run = workload.fanout(workload.instructionCountedAmount * times)
  run.body()
  print(run.deliveries)
} else {
  print(
    """
    counted                   lists the workloads
    counted WORKLOAD TIMES    runs one, and prints how many deliveries it made
    """)
}
