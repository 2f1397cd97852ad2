import Dispatch

/// A thread that sends values to loops, each in a task of its own, until all of them have ended.
enum Loops {
  /// A source of values, and the loops over them.
  struct Source {
    /// A loop that adds its values at a place of its own, and signals when it is ready for the first one.
    let loop: @Sendable (_ place: Int64, _ ready: DispatchSemaphore) async -> Void
    let send: (Int) -> Void
    let finish: () -> Void
  }

  static func run(
    _ loops: Int, _ deliveries: Int, _ make: @escaping () -> Source
  ) -> Workload.Run {
    let count = deliveries / loops
    return Workload.Run(deliveries: count * loops) {
      let source = make()
      let ready = DispatchSemaphore(value: 0)
      let ended = DispatchSemaphore(value: 0)
      for index in 0..<loops {
        let loop = source.loop
        Task {
          await loop(Counter.Place.threads.rawValue + Int64(index), ready)
          ended.signal()
        }
      }
      for _ in 0..<loops { ready.wait() }
      for number in 0..<count { source.send(number) }
      source.finish()
      for _ in 0..<loops { ended.wait() }
    }
  }
}
