import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A reduced state as plain data, played by hand.
struct ReducedStateTests {
  private let state = ReducedList()

  @Test func `what was accepted is in the newest state, and what was recorded in both`() {
    #expect(state.accept(.change(1)))
    #expect(!state.accept(.change(2)))
    #expect(state.newest == [1, 2] && state.recorded == [])
    #expect(state.next() == .change(1))
    #expect(state.next() == .change(2))
    #expect(state.record() == .change(1))
    #expect(state.newest == [1, 2] && state.recorded == [1])
    #expect(!state.accept(.change(3)))
    #expect(state.record() == .change(2))
    #expect(state.next() == .change(3))
    #expect(state.next() == nil)
    #expect(state.newest == [1, 2, 3] && state.recorded == [1, 2])
    #expect(state.record() == .change(3))
    #expect(state.recorded == [1, 2, 3])
  }

  @Test func `one caller at a time sends, until nothing is left`() {
    #expect(state.accept(.change(1)))
    #expect(state.next() == .change(1))
    #expect(!state.accept(.change(2)))
    #expect(state.next() == .change(2))
    #expect(state.next() == nil)
    #expect(state.accept(.change(3)))
    #expect(state.next() == .change(3))
  }

  @Test func `a snapshot replaces the state`() {
    for update: StateUpdate<[Int], Int> in [.change(1), .snapshot([7]), .change(8)] {
      _ = state.accept(update)
    }
    #expect(state.newest == [7, 8])
    while state.next() != nil {}
    for recorded in [[1], [7], [7, 8]] {
      _ = state.record()
      #expect(state.recorded == recorded)
    }
    #expect(state.record() == nil)
  }

  /// Any order of accepting, sending and recording that a hub can bring about.
  @Test func `D2: the newest state is all that was accepted, the recorded one its beginning`() {
    for seed in seeds(200) {
      var chance = SeededChance(seed: seed)
      let state = ReducedList()
      var (accepted, sent, recorded, isSending) = (0, 0, 0, false)
      for _ in 0..<50 {
        switch Int.random(in: 0..<3, using: &chance) {
        case 0:
          #expect(state.accept(.change(accepted)) == !isSending)
          (accepted, isSending) = (accepted + 1, true)
        case 1 where isSending:
          let next = state.next()
          #expect(next == (sent < accepted ? .change(sent) : nil))
          if next == nil { isSending = false } else { sent += 1 }
        case 2 where recorded < sent:
          #expect(state.record() == .change(recorded))
          recorded += 1
        default: continue
        }
        #expect(state.newest == Array(0..<accepted), "seed \(seed)")
        #expect(state.recorded == Array(0..<recorded), "seed \(seed)")
      }
    }
  }
}

/// A reduced list of numbers, by reference.
private final class ReducedList {
  private var state = ReducedState<[Int], Int>([]) { $0.append($1) }

  var newest: [Int] { state.newest }
  var recorded: [Int] { state.recorded }

  func accept(_ update: StateUpdate<[Int], Int>) -> Bool { state.accept(update) }
  func next() -> StateUpdate<[Int], Int>? { state.next() }
  func record() -> StateUpdate<[Int], Int>? { state.record()?.update }
}
