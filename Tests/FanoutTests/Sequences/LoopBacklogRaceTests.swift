import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops with backlogs while other threads send, and beside subscribers that are stuck.
@Suite(.serialized)
struct LoopBacklogRaceTests {
  private static func backlog(_ kind: LoopReference.Kind) -> Backlog<Int, Broken> {
    switch kind {
    case .unbounded: .unbounded
    case .wait: .size(4, whenFull: .wait)
    case .oldest: .size(4, whenFull: .dropOldest)
    case .newest: .size(4, whenFull: .dropNewest)
    case .error: .size(4, whenFull: .customError { Broken() })
    case .rejoinBehind, .rejoinLatest, .rejoinLast: .size(4, whenFull: .rejoin)
    case .cost: .limit(.cost(12, of: LoopReference.cost), whenFull: .dropOldest)
    case .costOrCount:
      .limit(.count(4), .cost(12, of: LoopReference.cost), whenFull: .dropOldest)
    }
  }

  /// Takes all events, pausing at some; returns what is wrong with them, and the number of values and misses.
  private static func check(
    _ deliveries: SharedDeliveries<Int, Broken>, _ pause: Int
  ) async -> (wrong: [String], accounted: Int, hasFailed: Bool) {
    var wrong: [String] = []
    var next = 0
    var isCaughtUp = false
    do throws(Broken) {
      var loop = deliveries.makeAsyncIterator()
      while let event = try await loop.next(isolation: nil) {
        switch event {
        case .caughtUp:
          if isCaughtUp { wrong.append("caught up twice") }
          isCaughtUp = true
        case .missed(let count): next += count ?? 0
        case .replayed(let value), .live(let value):
          if value != next { wrong.append("\(value) in place of \(next)") }
          next = value + 1
          if pause > 0, value % pause == 0 { await Task.yield() }
        }
      }
      return (wrong, next, false)
    } catch {
      return (wrong, next, true)
    }
  }

  @Test(arguments: LoopReference.Kind.allCases)
  func `B1, B5: each value is an event or in a gap, while another thread sends`(
    _ kind: LoopReference.Kind
  ) async {
    let count = 3_000
    for _ in 0..<rounds(1) {
      let source = TestPublisher<Int, Broken>()
      let replay: Replay<Int> = kind.rejoins ? kind.replay : .all
      let shared = source.share(replay: replay, backlog: Self.backlog(kind)).values
      let keeping = shared.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      let loops = (0..<3).map { index in
        Task { await Self.check(shared.deliveries(), index) }
      }
      // Without a full replay each of them has to be there from the first value on.
      while kind.rejoins, shared.status.subscribers.count <= loops.count { await Task.yield() }
      let thread = TestThread {
        for number in 0..<count { source.send(number) }
        source.send(completion: .finished)
      }
      for loop in loops {
        let (wrong, accounted, hasFailed) = await loop.value
        #expect(wrong == [])
        if hasFailed { #expect(kind == .error) } else { #expect(accounted == count) }
      }
      #expect(thread.join())
      keeping.cancel()
    }
  }

  @Test(arguments: LoopForm.allCases, LoopReference.Kind.allCases)
  func `D7, B1: loops come and are cancelled while another thread sends, and values stay in order`(
    _ form: LoopForm, _ kind: LoopReference.Kind
  ) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(backlog: Self.backlog(kind))
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let loops = (0..<10).map { round in
      let loop = Task {
        var loop = form.makeLoop(over: shared, hasBacklog: true)
        var last = -1
        for _ in 0..<round * 3 {
          guard let value = try? await loop.next() else { break }
          guard value > last else { return false }
          last = value
        }
        return true
      }
      if round % 3 == 0 { loop.cancel() }
      return loop
    }
    let thread = TestThread {
      for number in 0..<500 { source.send(number) }
      source.send(completion: .finished)
    }
    for loop in loops { #expect(await loop.value) }
    #expect(thread.join())
    // A loop that delivered for the others passed the rest on to a task, which takes the last loops out.
    while shared.status.subscribers.count > 0 { await Task.yield() }
    keeping.cancel()
  }

  @Test(
    arguments: LoopForm.allCases.filter { $0 != .requests },
    LoopReference.Kind.allCases.filter { $0 != .wait })
  func `D11: a loop does not wait for a subscriber that is stuck`(
    _ form: LoopForm, _ kind: LoopReference.Kind
  ) async throws {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(backlog: Self.backlog(kind))
    let stuck = HeldSubscriber(at: 1)
    shared.subscribe(stuck.subscriber)
    var loop = form.makeLoop(over: shared)
    let thread = TestThread { source.send(1) }
    #expect(stuck.stands())
    #expect(try await loop.next() == 1)
    stuck.letGo()
    #expect(thread.join())
    stuck.subscriber.cancel()
  }

  @Test func `L9: a loop over a reduced state gets the snapshot of a new connection`() async {
    let source = PassthroughSubject<Int, Never>()
    let state = source.share(reducingInto: 0, +=)
    var loop = state.values.makeAsyncIterator()
    #expect(await loop.next() == .snapshot(0))
    source.send(4)
    #expect(await loop.next() == .change(4))
    state.reconnect()
    #expect(await loop.next() == .snapshot(0))
  }
}
