/// One thing to measure, for each contender.
package struct Workload: Sendable {
  /// What is ready to be timed, and how many deliveries (or other units) it makes.
  package struct Run {
    package let deliveries: Int
    package let body: () -> Void
  }

  /// Makes everything ready for about as many deliveries as it is given.
  package typealias Make = @Sendable (_ deliveries: Int) -> Run

  /// One word, for thresholds and filters.
  package let name: String
  package let title: String

  /// How many deliveries a timed run of Fanout makes, and how many a slower peer makes.
  package var amount = 1_000_000
  package var peerAmount = 200_000

  /// How often each contender is timed; more often where a run is short.
  package var rounds = 5

  /// How many deliveries a run makes whose allocations and retains are counted.
  ///
  /// Subscribing takes far longer than a delivery.
  package var countedAmount: Int { amount < 100_000 ? 100_000 : 1_000_000 }

  /// How many deliveries a run makes whose instructions are counted.
  ///
  /// It is divided by every number of sinks.
  package var instructionCountedAmount: Int { amount < 100_000 ? 1_000 : 64_000 }

  package let fanout: Make

  /// What Fanout is compared with: a bare loop, or what ``floorTitle`` says.
  package var floor: Make?
  package var floorTitle = "bare loop"

  /// The floor without its retains, for information.
  package var unretained: Make?

  /// The same with another library, the one that ``library`` says.
  package var peer: Make?
  package var library = Library.openCombine

  /// The bytes that a subscription of Fanout's takes, and one of the peer's.
  package var bytes: (@Sendable () -> Double)?
  package var peerBytes: (@Sendable () -> Double)?

  /// Fanout takes at most that many times as long as the floor.
  package var floorLimit: Limit?

  /// The peer takes at least that many times as long as Fanout.
  package var peerLimit: Limit?

  /// A delivery allocates at most so often.
  package var allocationLimit: Double?

  /// Several threads take part: what one of them counts says nothing.
  package var hasThreads = false

  /// The instructions are counted although threads take part: they hardly depend on the moment.
  package var hasSteadyInstructions = false

  /// The instructions are shown, but compared with nothing, because they depend on the moment.
  package var showsInstructions = false

  /// Tasks suspend, or values gather for a queue: how often depends on the moment, and with it every
  /// count.
  package var countsVary = false

  /// Only the instructions are compared with committed figures, not the allocations and retains.
  package var countsInstructionsOnly = false
}

/// A library that Fanout is measured beside: the peer of a workload.
package enum Library: CaseIterable, Sendable {
  case openCombine, asyncAlgorithms

  /// The name of its module, which heads its columns.
  package var title: String {
    switch self {
    case .openCombine: "OpenCombine"
    case .asyncAlgorithms: "AsyncAlgorithms"
    }
  }

  /// The name for a narrow column.
  package var word: String {
    switch self {
    case .openCombine: "OpenCombine"
    case .asyncAlgorithms: "AsyncAlg."
    }
  }

  /// The package and its version, as in the manifest.
  package var package: String {
    switch self {
    case .openCombine: "OpenCombine 0.14"
    case .asyncAlgorithms: "swift-async-algorithms 1.1.4"
    }
  }
}
