import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops that begin, break, are cancelled and end at random, beside a sender that ends.
struct LoopRoundsRaceTests {
  /// The fate of a loop.
  private enum Fate: CaseIterable { case end, breakOff, cancel }

  private struct Outcome: Sendable {
    let fate: Fate
    let values: [Int]

    /// Whether the values have no gap, and reach the last one if the loop was to run to the end.
    func isExact(upTo count: Int) -> Bool {
      guard let first = values.first else { return true }
      let last = fate == .end ? count - 1 : first + values.count - 1
      return last < count && values == Array(first...last)
    }
  }

  private static let valueCount = 20
  private static let loopCount = 3

  /// Plays one round, and returns the outcome of every loop: one that hangs would not let it return.
  private func play<Values: AsyncSequence & Sendable>(
    _ makeLoop: @escaping @Sendable () -> Values, send: @escaping @Sendable (Int) -> Void,
    finish: @escaping @Sendable () -> Void, seed: Int
  ) async -> [Outcome] where Values.Element == Int {
    await withTaskGroup(of: Outcome.self) { group in
      var chance = SeededChance(seed: UInt64(seed))
      for _ in 0..<Self.loopCount {
        let fate = Fate.allCases.randomElement(using: &chance) ?? .end
        let limit =
          fate == .breakOff ? Int.random(in: 1...Self.valueCount, using: &chance) : .max
        let turns = Int.random(in: 0...3, using: &chance)
        group.addTask {
          let loop = Task {
            var values: [Int] = []
            do {
              for try await value in makeLoop() {
                values.append(value)
                if values.count == limit { break }
              }
            } catch { Issue.record(error) }
            return values
          }
          if fate == .cancel {
            for _ in 0..<turns { await Task.yield() }
            loop.cancel()
          }
          return Outcome(fate: fate, values: await loop.value)
        }
      }
      for value in 0..<Self.valueCount {
        if Int.random(in: 0..<4, using: &chance) == 0 { await Task.yield() }
        send(value)
      }
      finish()
      return await group.reduce(into: []) { $0.append($1) }
    }
  }

  @Test(arguments: Policy.contiguous)
  func `Q5 D2 D7: no loop over elements hangs or loses a value`(_ policy: Policy) async {
    for round in 0..<rounds(250) {
      let subject = ReplaySubject<Int, Never>(policy.replay)
      let outcomes = await play(
        { subject.values }, send: { subject.send($0) },
        finish: { subject.send(completion: .finished) }, seed: round)
      let areExact = outcomes.allSatisfy { $0.isExact(upTo: Self.valueCount) }
      #expect(areExact, "round \(round): \(outcomes)")
    }
  }

  @Test func `Q5 D2 D7: no loop over a buffer's values hangs or loses a value`() async {
    for round in 0..<rounds(250) {
      let subject = PassthroughSubject<Int, Never>()
      let outcomes = await play(
        { subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest).values },
        send: { subject.send($0) }, finish: { subject.send(completion: .finished) }, seed: round)
      let areExact = outcomes.allSatisfy { $0.isExact(upTo: Self.valueCount) }
      #expect(areExact, "round \(round): \(outcomes)")
    }
  }

  @Test func `Q5 D2 D7: no loop over what asyncMap delivers hangs or loses a value`() async {
    for round in 0..<rounds(250) {
      let subject = PassthroughSubject<Int, Never>()
      let outcomes = await play(
        {
          subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropOldest)
            .asyncMap(maxConcurrent: 2) { $0 }.values
        }, send: { subject.send($0) }, finish: { subject.send(completion: .finished) }, seed: round)
      let areExact = outcomes.allSatisfy { $0.isExact(upTo: Self.valueCount) }
      #expect(areExact, "round \(round): \(outcomes)")
    }
  }
}
