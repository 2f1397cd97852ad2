import FanoutPrograms
import OperatorPrograms

#if !FANOUT_BENCHMARKS_COUNTED
  import OpenCombinePrograms
#endif

extension Workload {
  private typealias Ours = FanoutPrograms.Programs
  #if FANOUT_BENCHMARKS_COUNTED
    private typealias Theirs = FanoutPrograms.Programs
  #else
    private typealias Theirs = OpenCombinePrograms.Programs
  #endif

  /// The title of the section of these workloads.
  package static let operatorsTitle = "Operators beside OpenCombine"

  /// The operators of Fanout between a subject and a sink, beside those of OpenCombine that have the same name.
  static let operators: [Workload] =
    beside(Ours.values, Theirs.values, 5) + beside(Ours.reductions, Theirs.reductions, 5)
    + beside(Ours.failures, Theirs.failures, 5)
    + beside(Ours.resumptions, Theirs.resumptions, 1)
    + beside(Ours.combinations, Theirs.combinations, 2) + beside(Ours.signals, Theirs.signals, 1)
    + beside(Ours.queues, Theirs.queues, 1) + beside(Ours.debouncing, Theirs.debouncing, 2)
    + beside(Ours.timings, Theirs.timings, 1)
    + beside(Ours.endings, Theirs.endings, 1, 50_000)
    + Ours.others.map { workload($0, nil, 1, 200_000) }

  /// Pairs the programs of both libraries; OpenCombine has to take at least `limit` times as long.
  private static func beside(
    _ ours: [OperatorProgram], _ theirs: [OperatorProgram], _ limit: Limit,
    _ amount: Int = 200_000
  ) -> [Workload] {
    precondition(ours.map(\.title) == theirs.map(\.title), "The two lists differ.")
    return zip(ours, theirs).map { workload($0, $1, limit, amount) }
  }

  private static func workload(
    _ ours: OperatorProgram, _ theirs: OperatorProgram?, _ limit: Limit, _ amount: Int
  ) -> Workload {
    var workload = Workload(
      name: "operator-\(ours.word)", title: ours.title, amount: amount,
      peerAmount: min(amount, 10_000),
      fanout: { values in
        #if !FANOUT_BENCHMARKS_COUNTED
          if let theirs { checkSameResults(ours, theirs) }
        #endif
        return Run(deliveries: values, body: ours.ready(values))
      }, peerLimit: limit, countsInstructionsOnly: true)
    workload.rounds = 15
    workload.bytes = { bytes(ours) }
    if let theirs {
      workload.peer = { Run(deliveries: $0, body: theirs.ready($0)) }
      workload.peerBytes = { bytes(theirs) }
    }
    return workload
  }

  /// Says so if the sinks of both receive values that do not add up to the same.
  private static func checkSameResults(_ ours: OperatorProgram, _ theirs: OperatorProgram) {
    let results = [(ours, Ours.place), (theirs, Theirs.place)].map { program, place in
      let run = program.ready(1000)
      let before = Counter.sum(at: place)
      run()
      return Counter.sum(at: place) - before
    }
    guard results[0] != results[1] else { return }
    print(
      "The values of \(ours.title) add up to \(results[0]), those of OpenCombine to \(results[1]).")
  }

  private static func bytes(_ program: OperatorProgram) -> Double {
    let attach = program.attach()
    return Allocator.bytes(each: 10_000) { _ in attach() }
  }
}
