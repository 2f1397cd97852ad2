import Benchmark
import Workloads

/// What is counted, and compared with the thresholds.
///
/// The counts are exact, but for a constant number of objects that the measurement makes itself.
/// A measured run makes so many deliveries that these disappear when the counts are divided.
let benchmarks: @Sendable () -> Void = {
  Benchmark.defaultConfiguration = .init(
    metrics: [.wallClock, .throughput, .objectAllocCount, .retainCount, .releaseCount],
    warmupIterations: 1, scalingFactor: .kilo, maxDuration: .seconds(2), maxIterations: 3)
  for workload in Workload.all where !workload.countsVary && !workload.countsInstructionsOnly {
    var configuration = Benchmark.defaultConfiguration
    // One more for each send is 100,000 or more; a few more or less are the runtime's affair. With
    // several threads, the moment decides which of them delivers for the others, and how many values an action
    // of a queue finds: that is some ten thousand more or less.
    let tolerance = BenchmarkThresholds(absolute: [.p90: workload.hasThreads ? 20_000 : 100])
    configuration.thresholds = [.objectAllocCount: tolerance, .retainCount: tolerance]
    Benchmark(workload.name, configuration: configuration) { benchmark in
      let run = workload.fanout(workload.countedAmount)
      benchmark.startMeasurement()
      run.body()
      benchmark.stopMeasurement()
      withExtendedLifetime(run) {}
    }
  }
}
