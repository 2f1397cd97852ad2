import Benchmark
import Workloads

let benchmarks: @Sendable () -> Void = {
  for workload in Workload.all {
    Benchmark(workload.name) { benchmark in
      let run = workload.fanout(1_000_000)
      benchmark.startMeasurement()
      run.body()
    }
  }
}
