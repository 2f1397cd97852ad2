import AsyncAlgorithms

/// The side that swift-async-algorithms takes in the workloads.
enum AsyncAlgorithmsSide {
  typealias Run = Workload.Run

  /// Loops over a share of one stream, each in a task of its own.
  static func share(_ loops: Int, _ pace: Loops.Pace, _ deliveries: Int) -> Run {
    Loops.run(loops, pace, deliveries) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let shared = stream.share(bufferingPolicy: .unbounded)
      return Loops.Source(
        loop: { await $0.run(over: shared) }, send: { continuation.yield($0) },
        finish: { continuation.finish() })
    }
  }

  /// A task that sends into a channel, where it waits for the one loop with each value.
  static func channel(_ count: Int) -> Run {
    let channel = AsyncChannel<Int>()
    let send: @Sendable () async -> Void = {
      for number in 0..<count { await channel.send(number) }
      channel.finish()
    }
    return PacedLoops.run([0], .none, count, begin: { Task(operation: send) }) {
      await $0.run(over: channel)
    }
  }

  /// One loop over a buffer behind a stream.
  static func buffer(_ deliveries: Int) -> Run {
    Loops.run(1, .pushed, deliveries) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let buffered = stream.buffer(policy: .unbounded)
      return Loops.Source(
        loop: { await $0.run(over: buffered) }, send: { continuation.yield($0) },
        finish: { continuation.finish() })
    }
  }

  /// One loop over the values of a sequence, which need not wait for any.
  static func sequence(_ count: Int) -> Run {
    Run(count, .asyncAlgorithms) {
      runToEnd {
        for await number in (0..<count).async { Counter.add(number, .asyncAlgorithms) }
      }
    }
  }
}
