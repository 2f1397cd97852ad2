import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops under `.wait` that one task runs, so that nothing but the upstream can help one that waits.
struct LoopsTogetherTests {
  /// The doors of loops that join when their iterator is made.
  private static let forms = LoopForm.allCases.filter { $0 != .requests }

  /// Takes values by loops that a seed chooses, as long as the rules say that the loop gets one; notes each turn before
  /// it begins, and nothing behind the last one.
  ///
  /// The upstream does not wait for the loop in a place that is free.
  private static func play(
    _ forms: [LoopForm], size: Int, free: Int?, _ chance: inout SeededChance, turn: Shared<String>
  ) async {
    let source = (1...1000).publisher.setFailureType(to: Broken.self)
      .multicast(replay: .none, backlog: .size(size, whenFull: .wait))
    var loops = forms.enumerated().map { place, form in
      if place == free { return TestLoop(source.values.joining(backlog: .unbounded)) { [$0] } }
      return form.makeLoop(over: source.values)
    }
    var taken = forms.map { _ in 0 }
    let connection = source.connect()
    for _ in 0..<120 {
      let place = loops.indices.randomElement(using: &chance) ?? 0
      let waiting = source.status.subscribers.map(\.waiting)
      // Another one holds the upstream back until half of its backlog is free.
      let isHeldBack = waiting.indices.contains {
        $0 != place && $0 != free && waiting[$0] > size / 2
      }
      guard waiting[place] > 0 || !isHeldBack else { continue }
      turn.value =
        "waits for ever: \(forms[place]) at \(place) of \(waiting), \(taken[place]) taken"
      taken[place] += 1
      let value = try? await loops[place].next()
      #expect(value == taken[place])
      guard value != nil else { return }
    }
    connection.cancel()
    turn.value = ""
  }

  @Test(arguments: 1...8, [nil, 0])
  func `B6, D18: a loop gets its value as soon as half of each other backlog is free`(
    size: Int, free: Int?
  ) {
    for seed in seeds(10) {
      var chance = SeededChance(seed: seed)
      let forms = (0..<Int.random(in: 1...3, using: &chance)).map { _ in
        Self.forms.randomElement(using: &chance) ?? .values
      }
      let executor = HandRunExecutor()
      let turn = Shared("nothing has run")
      let task = Task(executorPreference: executor) { [chance] in
        var chance = chance
        await Self.play(forms, size: size, free: free, &chance, turn: turn)
      }
      executor.runAll()
      #expect(turn.value == "", "seed \(seed)")
      task.cancel()
      executor.runAll()
    }
  }
}
