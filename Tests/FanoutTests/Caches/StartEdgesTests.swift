import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// Where starts, headers, backlogs and connections meet.
struct StartEdgesTests {
  private let source = PassthroughSubject<Int, Never>()
  private let texts = PassthroughSubject<String, Never>()

  private func slow<Value>() -> TestSubscriber<Value, Never> {
    TestSubscriber(initialDemand: .none)
  }

  @Test(arguments: [true, false])
  func `headers that several wait for live until the last has had them`(isSinkFirst: Bool) {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0.id == 10 }.headed { $0.id < 0 ? 0 : nil })
    nonisolated(unsafe) var sunk: [[Int]] = [[], []]
    let first = shared.sink { sunk[0].append($0.id) }
    let other: TestSubscriber<Token, Never> = slow()
    if !isSinkFirst { shared.subscribe(other) }
    let second = shared.sink { sunk[1].append($0.id) }
    for id in [-1] + Array(10...30) { source.send(Token(id)) }
    let all = [-1] + Array(10...30)
    #expect(sunk == [all, all])
    other.request(.unlimited)
    #expect(other.values.map(\.id) == (isSinkFirst ? [] : all))
    for cancellable in [first, second] { cancellable.cancel() }
    other.cancel()
  }

  @Test func `B6: with a gate, values that nobody may get are asked for too`() {
    nonisolated(unsafe) var got: [Int] = []
    let sink = (1...10).publisher.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 == 5 },
      backlog: .size(2, whenFull: .wait)
    ).sink { got.append($0) }
    #expect(got == Array(5...10))
    sink.cancel()
  }

  @Test func `B5, D9: a rejoin that loses nothing does not hold the end up`() {
    let shared = texts.share(
      replay: .sinceKeyframe { $0.hasPrefix("k") }.headed { $0.hasPrefix("#") ? 0 : nil },
      backlog: .size(1, whenFull: .rejoin))
    let keeping = shared.sink { _ in }
    texts.send("#a")
    let told: TestSubscriber<Delivery<String>, Never> = slow()
    shared.deliveries().subscribe(told)
    texts.send("k1")
    told.request(.unlimited)
    texts.send(completion: .finished)
    #expect(told.values == [.replayed("#a"), .caughtUp, .live("k1")])
    #expect(told.completion == .finished)
    keeping.cancel()
  }

  @Test(arguments: [1, 40]) func `B6: a joined backlog gates by its own size`(size: Int) {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(backlog: .size(16, whenFull: .wait))
    let waiting: TestSubscriber<Int, Never> = slow()
    shared.joining(backlog: .size(size, whenFull: .wait)).subscribe(waiting)
    #expect(upstream.subscriptions[0].requests.reduce(.none, +) == .max(size))
    waiting.cancel()
  }

  @Test func `at the next keyframe a subscriber gets the newest headers`() {
    let shared = texts.share(
      replay: .sinceKeyframe { $0.hasPrefix("k") }.headed { $0.hasPrefix("#") ? 0 : nil })
    let keeping = shared.sink { _ in }
    for text in ["#1", "k1"] { texts.send(text) }
    let next = TestSubscriber<String, Never>()
    shared.joining(.nextKeyframe).subscribe(next)
    for text in ["p", "#2", "k2"] { texts.send(text) }
    #expect(next.values == ["#2", "k2"])
    next.cancel()
    keeping.cancel()
  }

  @Test func `the beginning of a connection is no keyframe`() {
    let shared = source.multicast(replay: .sinceKeyframe(limit: .count(5)) { $0 % 10 == 0 })
    let next = TestSubscriber<Int, Never>()
    shared.joining(.nextKeyframe).subscribe(next)
    let connection = shared.connect()
    for value in [1, 2, 10] { source.send(value) }
    #expect(next.values == [10])
    connection.cancel()
    next.cancel()
  }

  @Test func `a loop starts at a keyframe too, and skips what its buffering says`() async {
    let shared = source.share(replay: .sinceKeyframe { $0 % 10 == 0 })
    let keeping = shared.sink { _ in }
    for value in [10, 11] { source.send(value) }
    shared.clearReplay()
    var iterator = shared.values.makeAsyncIterator()
    var newest = shared.values.joining(backlog: .size(2, whenFull: .dropOldest)).makeAsyncIterator()
    for value in [12, 20, 21, 22, 23] { source.send(value) }
    source.send(completion: .finished)
    #expect(await iterator.next() == 20)
    #expect(await newest.next() == 22)
    keeping.cancel()
  }

  @Test func `L9: who waits gets the headers from before a clear, and a newcomer does not`() {
    let shared = texts.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0.hasPrefix("k") }
        .headed { $0.hasPrefix("#") ? 0 : nil })
    let first = TestSubscriber<String, Never>()
    shared.subscribe(first)
    texts.send("#h")
    shared.clearReplay()
    let second = TestSubscriber<String, Never>()
    shared.subscribe(second)
    texts.send("k")
    #expect(first.values == ["#h", "k"] && second.values == ["k"])
    first.cancel()
    second.cancel()
  }

  @Test func `B4: of a latest value a laggard goes on with the newest`() {
    let shared = source.share(replay: .latest)
    let keeping = shared.sink { _ in }
    let lagging: TestSubscriber<Int, Never> = slow()
    shared.joining(.live, backlog: .size(2, whenFull: .rejoin)).subscribe(lagging)
    for value in 1...3 { source.send(value) }
    lagging.request(.unlimited)
    #expect(lagging.values == [3])
    lagging.cancel()
    keeping.cancel()
  }

  @Test func `D16: joined without a backlog, it loses what it has not requested`() {
    let shared = source.share()
    let keeping = shared.sink { _ in }
    let plain: TestSubscriber<Int, Never> = slow()
    shared.joining(label: "plain").subscribe(plain)
    source.send(1)
    plain.request(.max(1))
    #expect(plain.values == [])
    source.send(2)
    source.send(3)
    #expect(plain.values == [2])
    #expect(shared.status.subscribers.last?.label == "plain")
    plain.cancel()
    keeping.cancel()
  }

  @Test func `B1: the keyframe at which it starts is not missed`() {
    let shared = source.share(replay: .sinceKeyframe { $0 % 10 == 0 })
    let keeping = shared.sink { _ in }
    source.send(7)
    let told = TestSubscriber<Delivery<Int>, Never>()
    shared.joining(.nextKeyframe).deliveries().subscribe(told)
    for value in 8...10 { source.send(value) }
    #expect(told.values == [.caughtUp, .missed(2), .live(10)])
    told.cancel()
    keeping.cancel()
  }

  @Test func `B5: a gap of unknown size is told while newcomers wait, too`() {
    let shared = source.share(replay: .sinceKeyframe(limit: .count(1)) { $0 % 10 == 0 })
    let keeping = shared.sink { _ in }
    for value in 10...12 { source.send(value) }
    let told = TestSubscriber<Delivery<Int>, Never>()
    shared.joining(.after(where: { $0 == 11 }, ifUnknown: .replay)).deliveries().subscribe(told)
    source.send(20)
    #expect(told.values == [.missed(nil), .caughtUp, .live(20)])
    told.cancel()
    keeping.cancel()
  }

  @Test func `undelivered: taken headers stay headers`() {
    let subject = ReplaySubject<String, Never>(
      .undelivered(9).headed { $0.hasPrefix("#") ? 0 : nil })
    for text in ["#h", "a"] { subject.send(text) }
    let first = TestSubscriber<String, Never>()
    let second = TestSubscriber<String, Never>()
    subject.subscribe(first)
    subject.subscribe(second)
    #expect(first.values == ["#h", "a"] && second.values == ["#h"])
    first.cancel()
    second.cancel()
  }

  @Test func `B3: where newcomers start behind everything, a laggard goes on there`() {
    for replay: Replay<Int> in [.none.headed { _ in Int?.none }, .undelivered(5)] {
      let shared = source.share(replay: replay, backlog: .size(2, whenFull: .rejoin))
      let keeping = shared.sink { _ in }
      let lagging: TestSubscriber<Int, Never> = slow()
      shared.subscribe(lagging)
      for value in 1...4 { source.send(value) }
      lagging.request(.unlimited)
      #expect(lagging.values == [4])
      lagging.cancel()
      keeping.cancel()
    }
  }

  @Test func `requests stop at the end`() throws {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 == 1 }
        .requesting(every: .seconds(1), scheduler: clock) { asked += 1 })
    let told: TestSubscriber<Delivery<Int>, Never> = slow()
    shared.deliveries().subscribe(told)
    source.send(completion: .finished)
    try clock.run()
    #expect(asked == 1)
    told.cancel()
  }

  @Test func `B5, L5: a gap lies behind what an earlier connection owes`() {
    let shared = source.multicast(
      replay: .sinceKeyframe(fromBeginning: false) { $0 % 10 == 0 })
    let told: TestSubscriber<Delivery<Int>, Never> = slow()
    let first = shared.connect()
    shared.deliveries().subscribe(told)
    source.send(10)
    source.send(11)
    first.cancel()
    let second = shared.connect()
    for value in [12, 13, 20] { source.send(value) }
    told.request(.unlimited)
    #expect(told.values == [.caughtUp, .live(10), .live(11), .missed(2), .live(20)])
    second.cancel()
    told.cancel()
  }

  @Test func `O6: a subscriber that is told keeps no value of a closed connection`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.multicast(replay: .latest)
    let told = shared.deliveries().sink { _ in }
    let connection = shared.connect()
    var token: Token? = Token()
    let weak = WeakReference(token)
    token.map(source.send)
    token = nil
    #expect(weak.isAlive)
    connection.cancel()
    #expect(!weak.isAlive)
    told.cancel()
  }

  @Test func `the last values of a replay have their headers`() {
    let shared = texts.share(replay: .all.headed { $0.hasPrefix("#") ? 0 : nil })
    let keeping = shared.sink { _ in }
    for text in ["#1", "a", "#2", "b", "c"] { texts.send(text) }
    let late = TestSubscriber<String, Never>()
    shared.joining(.last(1)).subscribe(late)
    #expect(late.values == ["#2", "c"])
    late.cancel()
    keeping.cancel()
  }

  @Test func `B5: a gap behind moves when what is in front of it is dropped`() {
    for (whenFull, sent, expected): (Backlog<Int, Never>.WhenFull, [Int], [Delivery<Int>]) in [
      (.rejoin, [12, 20], [.caughtUp, .missed(3), .live(20)]),
      (.dropOldest, [12, 20, 21], [.caughtUp, .missed(3), .live(20), .live(21)]),
    ] {
      let shared = source.share(
        replay: .sinceKeyframe(fromBeginning: false) { $0 % 10 == 0 },
        backlog: .size(2, whenFull: whenFull))
      let told: TestSubscriber<Delivery<Int>, Never> = slow()
      shared.deliveries().subscribe(told)
      for value in [10, 11] { source.send(value) }
      shared.reconnect()
      for value in sent { source.send(value) }
      told.request(.unlimited)
      #expect(told.values == expected)
      told.cancel()
    }
  }

  @Test func `L5, L9: headers that a clear gives come behind what is owed`() {
    let shared = texts.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0.hasPrefix("k") }
        .headed { $0.hasPrefix("#") ? 0 : nil })
    let lagging: TestSubscriber<String, Never> = slow()
    shared.subscribe(lagging)
    for text in ["k1", "p1"] { texts.send(text) }
    shared.reconnect()
    texts.send("#2")
    shared.clearReplay()
    texts.send("k2")
    lagging.request(.unlimited)
    #expect(lagging.values == ["k1", "p1", "#2", "k2"])
    lagging.cancel()
  }

  @Test func `B4: a loop behind a clear that still waits starts at a keyframe`() async {
    let subject = ReplaySubject<String, Never>(.sinceKeyframe { $0.hasPrefix("k") })
    nonisolated(unsafe) var iterator: SharedSequence<String, Never>.Iterator?
    let sink = subject.sink {
      guard $0 == "p1" else { return }
      subject.clearReplay()
      iterator = subject.values.makeAsyncIterator()
    }
    for text in ["k1", "p1", "p2", "k2"] { subject.send(text) }
    #expect(await iterator?.next() == "k2")
    sink.cancel()
  }

  @Test func `B1: headers that a laggard lacks at the end are missed`() {
    let shared = texts.share(
      replay: .sinceKeyframe(limit: .count(2)) { $0 == "k" }.headed { $0 == "#" ? 0 : nil },
      backlog: .size(2, whenFull: .rejoin))
    let told: TestSubscriber<Delivery<String>, Never> = slow()
    shared.deliveries().subscribe(told)
    for text in ["k", "#", "p"] { texts.send(text) }
    texts.send(completion: .finished)
    told.request(.unlimited)
    #expect(told.values == [.caughtUp, .missed(3)] && told.completion == .finished)
  }

  @Test func `B4: headers given at a clear and at a start are both known`() {
    let shared = texts.share(
      replay: .sinceKeyframe(limit: .count(2)) { $0.hasPrefix("k") }
        .headed { $0.hasPrefix("#") ? $0 : nil })
    let keeping = shared.sink { _ in }
    for text in ["#sps", "k1", "a", "b"] { texts.send(text) }
    let lagging: TestSubscriber<String, Never> = slow()
    shared.joining(backlog: .size(4, whenFull: .rejoin)).subscribe(lagging)
    shared.clearReplay()
    for text in ["#pps", "k2", "c", "d", "k3"] { texts.send(text) }
    lagging.request(.unlimited)
    // The headers with which it starts do not count, so four wait, which is as many as may.
    #expect(lagging.values == ["#sps", "#pps", "k2", "c", "d", "k3"])
    lagging.cancel()
    keeping.cancel()
  }
}
