import Dispatch

/// Loops of different speeds over a source that sends what is requested, each in a task of its own, until all of
/// them have ended.
enum PacedLoops {
  /// The way in which a loop spends its time between two values.
  enum Work: String, CaseIterable, Sendable {
    case none, computing, yielding

    /// Does some units of work.
    @inline(__always)
    func callAsFunction(_ units: Int) async {
      switch self {
      case .none: return
      case .computing: PacedLoops.compute(units)
      case .yielding: for _ in 0..<units { await Task.yield() }
      }
    }
  }

  /// One of the loops, which adds its values at a place of its own.
  struct Loop: Sendable {
    let index: Int
    let units: Int
    let work: Work
    fileprivate let ready: DispatchSemaphore

    fileprivate static func place(_ index: Int) -> Int64 {
      Counter.Place.threads.rawValue + Int64(index)
    }

    /// Receives all values of a sequence, and stops the program if they are not in order.
    @inline(__always)
    func run<Values: AsyncSequence>(over values: Values) async
    where Values.Element == Int, Values.Failure == Never {
      let place = Self.place(index)
      var expected = 0
      var iterator = values.makeAsyncIterator()
      ready.signal()
      while let number = await iterator.next(isolation: nil) {
        precondition(number == expected, "The loop has got \(number) in place of \(expected).")
        expected += 1
        Counter.add(number, at: place)
        await work(units)
      }
    }
  }

  /// Runs one loop for each number of units of work; a delivery is a value that all loops have taken.
  ///
  /// `begin` is called when every loop has its iterator.
  static func run(
    _ units: [Int], _ work: Work, _ count: Int, begin: @escaping () -> Void = {},
    loop: @escaping @Sendable (Loop) async -> Void
  ) -> Workload.Run {
    let checked = Workload.Run(count, at: units.indices.map(Loop.place)) {
      let ready = DispatchSemaphore(value: 0)
      let ended = DispatchSemaphore(value: 0)
      for (index, units) in units.enumerated() {
        Task {
          await loop(Loop(index: index, units: units, work: work, ready: ready))
          ended.signal()
        }
      }
      for _ in units { ready.wait() }
      begin()
      for _ in units { ended.wait() }
    }
    return Workload.Run(deliveries: count, body: checked.body)
  }

  /// Takes about a fifth of a microsecond for each unit.
  @inline(never)
  private static func compute(_ units: Int) {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<(units * 128) {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    withExtendedLifetime(opaque(state)) {}
  }
}
