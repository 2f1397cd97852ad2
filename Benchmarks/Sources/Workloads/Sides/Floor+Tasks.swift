extension Floor {
  /// An `AsyncStream` for each loop, to all of which a value is yielded.
  static func streams(_ loops: Int, _ pace: Loops.Pace, _ deliveries: Int) -> Run {
    Loops.run(loops, pace, deliveries) {
      let streams = (0..<loops).map { _ in AsyncStream.makeStream(of: Int.self) }
      return Loops.Source(
        loop: { await $0.run(over: streams[$0.index].stream) },
        send: { number in for stream in streams { stream.continuation.yield(number) } },
        finish: { for stream in streams { stream.continuation.finish() } })
    }
  }

  /// Child tasks of a group that transform the values, and their results in order.
  ///
  /// A value is begun when a result is delivered, so that at most `window` of them are in work or wait
  /// for their turn.
  static func orderedWindow(
    _ window: Int, _ transform: @escaping Transform.Closure, _ count: Int
  ) -> Run {
    let sink = opaque { @Sendable (number: Int) in Counter.add(number, .floor) }
    return Run(count, .floor) {
      runToEnd {
        await withTaskGroup(of: (index: Int, result: Int).self) { group in
          var waiting = [Int?](repeating: nil, count: window)
          var started = 0
          var delivered = 0
          func start() {
            guard started < count else { return }
            let number = started
            started += 1
            group.addTask { (number, await transform(number)) }
          }
          for _ in 0..<window { start() }
          for await (index, result) in group {
            waiting[index % window] = result
            while let next = waiting[delivered % window] {
              waiting[delivered % window] = nil
              sink(next)
              delivered += 1
              start()
            }
          }
        }
      }
    }
  }
}
