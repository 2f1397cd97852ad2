import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A reduced state as plain data, played by hand.
struct ReducedStateTests {
  private let state = ReducedList()

  @Test func `what was accepted is in the newest state, and what was recorded in both`() {
    for number in 1...2 { state.accept(.change(number)) }
    #expect(state.newest == [1, 2] && state.recorded == [])
    #expect(state.record() == .change(1))
    #expect(state.newest == [1, 2] && state.recorded == [1])
    state.accept(.change(3))
    #expect(state.record() == .change(2))
    #expect(state.newest == [1, 2, 3] && state.recorded == [1, 2])
    #expect(state.record() == .change(3))
    #expect(state.recorded == [1, 2, 3] && state.record() == nil)
  }

  @Test func `a snapshot replaces the state`() {
    for update: StateUpdate<[Int], Int> in [.change(1), .snapshot([7]), .change(8)] {
      state.accept(update)
    }
    #expect(state.newest == [7, 8])
    for recorded in [[1], [7], [7, 8]] {
      _ = state.record()
      #expect(state.recorded == recorded)
    }
    #expect(state.record() == nil)
  }

  @Test
  func `an update is applied once for the recorded state, and once for one that is read before`() {
    for number in 1...3 {
      state.accept(.change(number))
      for _ in 1...3 { #expect(state.newest == Array(1...number)) }
    }
    #expect(state.calls == 3)
    for _ in 1...3 { _ = state.record() }
    #expect(state.newest == [1, 2, 3] && state.calls == 6)
    state.accept(.change(4))
    _ = state.record()
    #expect(state.newest == [1, 2, 3, 4] && state.calls == 7)
  }

  /// Any order of accepting, reading and recording that a hub can bring about.
  @Test func `D2: the newest state is all that was accepted, the recorded one its beginning`() {
    for seed in seeds(200) {
      var chance = SeededChance(seed: seed)
      let state = ReducedList()
      var (accepted, recorded) = (0, 0)
      for _ in 0..<50 {
        switch Int.random(in: 0..<3, using: &chance) {
        case 0:
          state.accept(.change(accepted))
          accepted += 1
        case 1 where recorded < accepted:
          #expect(state.record() == .change(recorded))
          recorded += 1
        default: #expect(state.newest == Array(0..<accepted), "seed \(seed)")
        }
        #expect(state.recorded == Array(0..<recorded), "seed \(seed)")
        #expect(state.calls <= accepted + recorded)
      }
    }
  }
}

/// A reduced list of numbers, by reference.
private final class ReducedList {
  private let count = Shared(0)
  private var state: ReducedState<[Int], Int>

  init() {
    state = ReducedState([]) { [count] in
      count.increment()
      $0.append($1)
    }
  }

  var newest: [Int] { state.newest().state }
  var recorded: [Int] { state.recorded }
  /// The number of calls of the closure.
  var calls: Int { count.value }

  func accept(_ update: StateUpdate<[Int], Int>) { state.accept(update) }
  func record() -> StateUpdate<[Int], Int>? { state.record()?.update }
}
