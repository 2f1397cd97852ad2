import Foundation
import Synchronization
import TestThreads
import Testing

/// Where threads wait for each other, again and again.
///
/// No thread sleeps there, so that all continue at the same moment.
private final class Barrier: Sendable {
  private let parties: Int
  private let arrived = Atomic<Int>(0)
  private let generation = Atomic<Int>(0)
  private let isGivenUp = Atomic<Bool>(false)

  init(parties: Int) { self.parties = parties }

  /// Waits for the others; the last to come runs `last` before any of them continues.
  ///
  /// Returns false if it is not worth going on.
  func meet(last: () -> Void = {}) -> Bool {
    let current = generation.load(ordering: .acquiring)
    if arrived.add(1, ordering: .acquiringAndReleasing).newValue == parties {
      last()
      arrived.store(0, ordering: .relaxed)
      generation.add(1, ordering: .acquiringAndReleasing)
    } else {
      while generation.load(ordering: .acquiring) == current {
        if isGivenUp.load(ordering: .relaxed) { return false }
        sched_yield()
      }
    }
    return true
  }

  func giveUp() { isGivenUp.store(true, ordering: .relaxed) }
}

/// Only one test at a time has its threads run together: they are to meet each other, and not to wait
/// for those of another test.
private let stage = NSLock()

/// Runs closures side by side on threads of their own, `rounds` times, starting together each time.
///
/// - Parameters:
///   - rounds: The usual number of rounds.
///   - before: The closure that prepares a round, alone.
///   - bodies: The closures that run side by side, each with the number of the round.
///   - after: The closure that checks the outcome of a round, alone.
///   - sourceLocation: The place at which a round that hangs is reported.
///
/// The test fails if any of them hangs.
func together(
  rounds: Int, before: @escaping @Sendable (Int) -> Void = { _ in },
  _ bodies: [@Sendable (Int) -> Void], after: @escaping @Sendable (Int) -> Void = { _ in },
  sourceLocation: SourceLocation = #_sourceLocation
) {
  stage.lock()
  defer { stage.unlock() }
  let barrier = Barrier(parties: bodies.count)
  let threads = bodies.map { body in
    TestThread {
      // What is done once is done once, however much of the races a run repeats.
      for round in 0..<(rounds == 1 ? 1 : TestThreads.rounds(rounds)) {
        guard barrier.meet(last: { before(round) }) else { return }
        body(round)
        guard barrier.meet(last: { after(round) }) else { return }
      }
    }
  }
  let haveEnded = threads.allSatisfy { $0.join() }
  if !haveEnded { barrier.giveUp() }
  #expect(haveEnded, "hangs", sourceLocation: sourceLocation)
}

/// Runs closures side by side on threads of their own, once.
///
/// The test fails if any hangs.
func together(
  _ bodies: [@Sendable () -> Void], sourceLocation: SourceLocation = #_sourceLocation
) {
  together(rounds: 1, bodies.map { body in { _ in body() } }, sourceLocation: sourceLocation)
}
