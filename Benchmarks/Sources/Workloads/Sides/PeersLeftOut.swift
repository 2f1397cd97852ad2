// In the place of OpenCombine's side and AsyncAlgorithms' in the build that only counts; see the manifest.

enum OpenCombineSide {
  typealias Run = Workload.Run

  static func subject<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    leftOut()
  }
  static func mapShare<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    leftOut()
  }
  static func latest<Value: Payload>(_ type: Value.Type, _ sinks: Int, _ deliveries: Int) -> Run {
    leftOut()
  }
  static func currentValue<Value: Payload>(
    _ type: Value.Type, _ sinks: Int, _ deliveries: Int
  ) -> Run { leftOut() }

  static func capturing(_ sinks: Int, _ deliveries: Int) -> Run { leftOut() }
  static func threads(_ threads: Int, _ deliveries: Int) -> Run { leftOut() }
  static func sequence(_ count: Int) -> Run { leftOut() }
  static func demandOne(_ sinks: Int, _ deliveries: Int) -> Run { leftOut() }
  static func newest(_ others: Int, _ rounds: Int) -> Run { leftOut() }
  static func random(_ others: Int, _ rounds: Int) -> Run { leftOut() }
  static func shareChurn(_ rounds: Int) -> Run { leftOut() }
  static func connect(_ rounds: Int) -> Run { leftOut() }
  static func receiveOnQueue(_ deliveries: Int) -> Run { leftOut() }
  static func receiveOnSerialQueue(_ deliveries: Int) -> Run { leftOut() }
  static func receiveOnSerialQueue(atOnce burst: Int, _ deliveries: Int) -> Run { leftOut() }
  static func receiveAtOnce(_ deliveries: Int) -> Run { leftOut() }
  static func buffer(_ deliveries: Int) -> Run { leftOut() }
  static func flatMap(_ deliveries: Int) -> Run { leftOut() }
  static func bytesOfSubscriber() -> Double { leftOut() }
  static func bytesOfShare() -> Double { leftOut() }
  static func bytesOfShareLatest() -> Double { leftOut() }
}

enum AsyncAlgorithmsSide {
  typealias Run = Workload.Run

  static func share(_ loops: Int, _ pace: Loops.Pace, _ deliveries: Int) -> Run { leftOut() }
  static func channel(_ count: Int) -> Run { leftOut() }
  static func buffer(_ deliveries: Int) -> Run { leftOut() }
  static func sequence(_ count: Int) -> Run { leftOut() }
}

private func leftOut() -> Never {
  preconditionFailure("This build only counts. FANOUT_BENCHMARKS_COUNTED must not be set for it.")
}
