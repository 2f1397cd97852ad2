import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// The account of a subscriber where starts, headers, ends and connections meet.
struct B1AccountTests {
  private let source = PassthroughSubject<Int, Never>()

  private func slow() -> TestSubscriber<Int, Never> { TestSubscriber(initialDemand: .none) }

  /// Negative numbers are headers, tens are keyframes.
  private static let headed = Replay<Int>.sinceKeyframe { $0 % 10 == 0 }
    .headed { $0 < 0 ? 0 : nil }

  @Test func `B1: the headers from before a subscriber joined are not missed`() {
    let shared = source.share(replay: Self.headed)
    let keeping = shared.sink { _ in }
    for value in [10, -1, 11] { source.send(value) }
    let late = slow()
    shared.joining(.nextKeyframe, backlog: .unbounded, label: "late").subscribe(late)
    #expect(shared.status.subscribers.map(\.missed) == [0, 0])
    source.send(20)
    #expect(shared.status.subscribers.map(\.missed) == [0, 0])
    late.request(.unlimited)
    #expect(late.values == [-1, 20])
    late.cancel()
    keeping.cancel()
  }

  @Test func `B1: what goes by is missed at once, not when the keyframe comes`() {
    for replay in [Self.headed, .sinceKeyframe(limit: .count(9)) { $0 % 10 == 0 }] {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      for value in 10...12 { source.send(value) }
      let late = slow()
      shared.joining(.nextKeyframe, backlog: .unbounded, label: "late").subscribe(late)
      for value in 13...15 {
        source.send(value)
        #expect(shared.status.subscribers.map(\.missed) == [0, value - 12])
      }
      source.send(20)
      #expect(shared.status.subscribers.map(\.missed) == [0, 3])
      late.cancel()
      keeping.cancel()
    }
  }

  @Test func `B1: a header that passes while a subscriber waits is missed, and comes nevertheless`()
  {
    let shared = source.share(replay: Self.headed)
    let keeping = shared.sink { _ in }
    source.send(10)
    let late = slow()
    shared.joining(.nextKeyframe, backlog: .unbounded, label: "late").subscribe(late)
    for (value, missed) in [(-1, 1), (11, 2), (-2, 3), (20, 3)] {
      source.send(value)
      #expect(shared.status.subscribers.map(\.missed) == [0, missed], "\(value)")
    }
    late.request(.unlimited)
    #expect(late.values == [-2, 20])
    late.cancel()
    keeping.cancel()
  }

  @Test func `B1, B4: who rejoins at a keyframe that is still to come misses what goes by`() {
    let shared = source.share(
      replay: .sinceKeyframe(limit: .count(3)) { $0 % 10 == 0 },
      backlog: .size(2, whenFull: .rejoin))
    let late = slow()
    shared.joining(label: "late").subscribe(late)
    // The fourth exceeds the limit, and there is no keyframe ahead.
    for (value, missed) in [(10, 0), (11, 0), (12, 0), (13, 4), (14, 5), (15, 6), (20, 6)] {
      source.send(value)
      #expect(shared.status.subscribers.map(\.missed) == [missed], "\(value)")
    }
    late.request(.unlimited)
    #expect(late.values == [20])
    late.cancel()
  }
}
