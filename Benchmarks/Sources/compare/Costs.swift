import Workloads

/// The nanoseconds that small pieces of work take on a processor; nothing for one that nobody measured.
struct Costs: Codable {
  /// A retain and a release of one object, with nothing between.
  var retainAndRelease: Double?

  /// A locked instruction that follows another.
  var lockedAfterLocked: Double?

  /// What a locked instruction adds to four steps of a plain loop.
  var lockedAmidPlainWork: Double?

  /// A step of a plain loop, which calls what each sink calls.
  var plainStep: Double?

  static let titles: [(title: String, cost: @Sendable (Costs) -> Double?)] = [
    ("a retain and a release", { $0.retainAndRelease }),
    ("a locked instruction that follows another", { $0.lockedAfterLocked }),
    ("a locked instruction amid plain work", { $0.lockedAmidPlainWork }),
    ("a step of a plain loop, a call and an addition", { $0.plainStep }),
  ]

  var locks: Locks { Locks(nanoseconds: lockedAfterLocked ?? 0) }
}

extension Costs {
  /// Measures them: the pieces of work take turns, and of each the best of five counts.
  static func measure() -> Costs {
    var times = [ProcessorWork: Double]()
    for _ in 0..<5 {
      for work in ProcessorWork.allCases {
        let result = Measurement.time(work.run(2_000_000))
        times[work] = min(times[work] ?? .infinity, result.time)
      }
    }
    func time(_ work: ProcessorWork) -> Double { times[work] ?? .nan }
    return Costs(
      retainAndRelease: time(.retainAndRelease).toThreeDigits,
      lockedAfterLocked: time(.locked).toThreeDigits,
      lockedAmidPlainWork: max(0, time(.lockedAmidSteps) - time(.steps)).toThreeDigits,
      plainStep: time(.step).toThreeDigits)
  }

  /// Whether one of them is a fifth more than it was, or less: other programs have taken the processor.
  func differs(from earlier: Costs) -> Bool {
    [\Costs.retainAndRelease, \.lockedAfterLocked, \.plainStep].contains { cost in
      guard let now = self[keyPath: cost], let before = earlier[keyPath: cost] else { return false }
      return max(now, before) > 1.2 * min(now, before)
    }
  }
}

extension Double {
  /// The number with as many digits as a measurement has that can be repeated.
  var toThreeDigits: Double {
    guard isFinite, self != 0 else { return self }
    var scale = 1.0
    while abs(self) * scale < 100 { scale *= 10 }
    return (self * scale).rounded() / scale
  }
}
