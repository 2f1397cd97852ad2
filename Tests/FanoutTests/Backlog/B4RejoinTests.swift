import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct B4RejoinTests {
  private let source = PassthroughSubject<Int, Never>()
  private let slow = TestSubscriber<Int, Never>(initialDemand: .none)

  @Test func `B4: under .sinceKeyframe every run begins at a keyframe`() {
    // Tens are keyframes.
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(4, whenFull: .rejoin))
    shared.subscribe(slow)
    slow.request(.max(2))
    for value in 10...47 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [10, 11] + Array(40...47))
    #expect(slow.violations == [])
    slow.cancel()
  }

  @Test func `B4: as long as no keyframe lies ahead nothing is lost`() {
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(4, whenFull: .rejoin))
    shared.subscribe(slow)
    // There is no keyframe yet, so a newcomer starts at the beginning.
    for value in 1...9 { source.send(value) }
    slow.request(.max(1))
    for value in 10...19 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [1] + Array(10...19))
    slow.cancel()
  }

  @Test func `B4: within what newcomers get, lagging costs nothing`() {
    let shared = source.share(replay: .last(8), backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    for value in 1...8 { source.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [1])
    for value in 9...12 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [1] + Array(5...12))
    slow.cancel()
  }

  @Test(arguments: [false, true])
  func `B4: within limits it goes on at their start, also at an empty one`(isAge: Bool) async {
    let clock = TestScheduler()
    let shared = source.share(
      replay: isAge ? .last(within: .seconds(5), clock: clock) : .last(.cost(5) { $0 }),
      backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    var loop = shared.values.makeAsyncIterator()
    for value in 1...3 {
      source.send(value)
      clock.advance(by: .seconds(3))
    }
    #expect(shared.status.subscribers.map(\.missed) == [1, 1])
    slow.request(.max(2))
    #expect([await loop.next(), await loop.next()] == [2, 3])
    for value in [1, 1, 9, 4] { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [2, 3] + (isAge ? [1, 1, 9, 4] : [4]))
    slow.cancel()
  }

  @Test(arguments: [Replay<Int>.none, .custom { Everything() }])
  func `B4: without a start that is known to lie ahead it goes on with the next value`(
    replay: Replay<Int>
  ) {
    let shared = source.share(replay: replay, backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    for value in 1...3 { source.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [])
    source.send(4)
    source.send(5)
    slow.request(.unlimited)
    #expect(slow.values == [4, 5])
    slow.cancel()
  }

  @Test func `B4: under .latest it goes on with the newest value`() {
    let shared = source.share(replay: .latest, backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    for value in 1...7 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [7])
    slow.cancel()
  }

  @Test func `B4, L5: what a closed connection owes is not given up for nothing`() {
    let shared = source.multicast(replay: .last(8), backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    let first = shared.connect()
    for value in 1...8 { source.send(value) }
    first.cancel()
    slow.request(.max(1))
    slow.request(.max(1))
    #expect(slow.values == [1, 2])
    let second = shared.connect()
    source.send(9)
    slow.request(.unlimited)
    // Now a start lies ahead.
    #expect(slow.values == [1, 2, 9])
    second.cancel()
    slow.cancel()
  }

  @Test func `B4, D9: the end comes at once if a rejoin leaves nothing to wait for`() {
    let shared = source.multicast(replay: .none, backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    let claim = shared.connect()
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(slow.events == [.subscription, .completion(.finished)])
    claim.cancel()
  }

  @Test func `B4: .rejoin with .all traps and says what to use`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = PassthroughSubject<Int, Never>().share(
        replay: .all, backlog: .size(1, whenFull: .rejoin))
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("nothing lies ahead") && text.contains("use .last, .sinceKeyframe"))
  }

  @Test func `B3: a backlog of no values traps`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { _ = Backlog<Int, Never>.size(0, whenFull: .dropOldest) }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("Backlog.size(0): no value could wait; pass 1 or more"))
  }

  @Test func `B4, L9: a clear takes nothing of an earlier connection`() {
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 10 == 0 }, backlog: .size(2, whenFull: .rejoin))
    shared.subscribe(slow)
    for value in [10, 11, 12] { source.send(value) }
    shared.reconnect()
    shared.clearReplay()
    source.send(13)
    slow.request(.max(1))
    #expect(slow.values == [10])
    source.send(20)
    slow.request(.unlimited)
    // Now a start lies ahead.
    #expect(slow.values == [10, 20])
    slow.cancel()
  }

  @Test func `B4, L5: under .latest too, a closed connection owes all until there is a start`() {
    let shared = source.multicast(replay: .latest)
    let slow = TestSubscriber<Int, Never>(
      initialDemand: .none,
      whenSubscribed: { [source] _ in
        let claim = shared.connect()
        for value in 1...3 { source.send(value) }
        claim.cancel()
      })
    shared.joining(backlog: .size(2, whenFull: .rejoin)).subscribe(slow)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
    slow.cancel()
  }
}

/// A cache that keeps every value.
struct Everything: ReplayCache {
  var contents: [Int] = []
  mutating func record(_ value: Int) { contents.append(value) }

  @Test(arguments: 0..<4)
  func `B4, L9: the end of the upstream and a request find the start behind a clear`(replay: Int) {
    let replays: [Replay<Int>] = [
      .last(3), .last(3).headed { _ in nil as Int? }, .latest, .undelivered(3),
    ]
    for requested in 0...2 {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(replay: replays[replay])
      let subscribers = (0..<2).map { _ in TestSubscriber<Int, Never>(initialDemand: .none) }
      let backlog = Backlog<Int, Never>.size(1, whenFull: .rejoin)
      let keeping = shared.sink { _ in }
      shared.joining(backlog: backlog).subscribe(subscribers[0])
      shared.joining(where: { $0 > 0 }, backlog: backlog).subscribe(subscribers[1])
      for value in 1...3 { source.send(value) }
      // Where newcomers start behind everything, or with the newest value, that has been found before.
      let waited = Array(1...3).suffix(replay < 2 ? 3 : 1)
      shared.clearReplay()
      for subscriber in subscribers { subscriber.request(.max(requested)) }
      source.send(completion: .finished)
      for subscriber in subscribers { subscriber.request(.unlimited) }
      // Behind a request for two of three, one is left, which is not too much.
      let left = waited.count - requested > 1 ? requested : waited.count
      for subscriber in subscribers {
        #expect(subscriber.values == Array(waited.prefix(left)), "\(requested)")
        #expect(subscriber.completion == .finished)
      }
      keeping.cancel()
    }
  }

  @Test func `B4, L9: a loop finds the start behind a clear when it takes a value, and at the end`()
    async
  {
    for (takes, continues) in [(false, false), (true, false), (true, true)] {
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(replay: .last(3), backlog: .size(1, whenFull: .rejoin))
      var loop = shared.values.makeAsyncIterator()
      for value in 1...3 { source.send(value) }
      shared.clearReplay()
      if takes { #expect(await loop.next() == 1) }
      if continues { source.send(4) }
      source.send(completion: .finished)
      var rest: [Int] = []
      while let value = await loop.next() { rest.append(value) }
      // The two that waited behind the first were too many.
      #expect(rest == (continues ? [4] : []), "\(takes)")
    }
  }

  @Test func `B4, L9: behind a clear too, a closed connection owes all its values`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .last(3), backlog: .size(1, whenFull: .rejoin))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    for value in 1...2 { source.send(value) }
    shared.reconnect()
    shared.clearReplay()
    source.send(completion: .finished)
    slow.request(.unlimited)
    #expect(slow.values == [1, 2])
  }
}
