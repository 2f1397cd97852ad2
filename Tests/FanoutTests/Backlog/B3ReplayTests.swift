import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// What a newcomer is owed of its replay, whatever its backlog is.
struct B3ReplayTests {
  private let source = PassthroughSubject<Int, Broken>()

  private func slow() -> TestSubscriber<Int, Broken> { TestSubscriber(initialDemand: .none) }

  private func attach(_ shared: some Publisher<Int, Broken>) -> AnyCancellable {
    shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }

  enum Kind: CaseIterable, Sendable {
    case dropOldest, dropNewest, customError, rejoin

    var whenFull: Backlog<Int, Broken>.WhenFull {
      switch self {
      case .dropOldest: .dropOldest
      case .dropNewest: .dropNewest
      case .customError: .customError { Broken() }
      case .rejoin: .rejoin
      }
    }

    /// What a subscriber gets for which two values may wait, of live values beside `replay`.
    func kept(_ live: [Int], behind replay: [Int]) -> [Int] {
      switch self {
      case .dropOldest: replay + live.suffix(2)
      case .dropNewest, .customError: replay + live.prefix(2)
      case .rejoin: []
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `B3: who comes back gets all that it has missed, however few may wait`(kind: Kind) {
    let shared = source.share(replay: .last(1000))
    let keeping = attach(shared)
    for value in 1...1000 { source.send(value) }
    let back = slow()
    shared.joining(
      .after { $0 == 500 }, backlog: .size(100, whenFull: kind.whenFull), label: "back"
    )
    .subscribe(back)
    #expect(shared.status.subscribers.map(\.missed) == [0, 0])
    for value in 1001...1100 { source.send(value) }
    back.request(.unlimited)
    #expect(back.values == Array(501...1100))
    #expect(back.completion == nil && back.violations == [])
    back.cancel()
    keeping.cancel()
  }

  private static let replays: [Replay<Int>] = [
    .latest, .all, .last(6), .sinceKeyframe { $0 == 4 }, .custom { Everything() },
    .latest { $0 % 4 }, .last(6, within: .seconds(1), clock: TestScheduler()), .undelivered(6),
  ]

  @Test(arguments: 0..<8, [Kind.dropOldest, .dropNewest, .customError])
  func `B3: a backlog drops later values, and none of the replay`(number: Int, kind: Kind) {
    for isOfShare in [true, false] {
      for taken in 0...7 {
        let subject = ReplaySubject<Int, Broken>(Self.replays[number])
        let backlog = Backlog.size(2, whenFull: kind.whenFull)
        for value in 1...9 { subject.send(value) }
        let replay = subject.replayed
        let late = slow()
        if isOfShare {
          let upstream = ReplaySubject<Int, Broken>(.all)
          for value in 1...9 { upstream.send(value) }
          let shared = upstream.share(
            replay: Self.replays[number], disconnect: .whenReleased, backlog: backlog)
          attach(shared).cancel()
          shared.subscribe(late)
          late.request(.max(taken))
          for value in 10...15 { upstream.send(value) }
        } else {
          subject.joining(backlog: backlog).subscribe(late)
          late.request(.max(taken))
          for value in 10...15 { subject.send(value) }
        }
        late.request(.unlimited)
        // What it has asked for beyond the replay it gets at once.
        let asked = max(taken - (isOfShare && number == 7 ? 0 : replay.count), 0)
        let live = Array(10...15)
        let owed = isOfShare && number == 7 ? [] : replay
        let expected =
          owed + live.prefix(asked) + kind.kept(Array(live.dropFirst(asked)), behind: [])
        #expect(late.values == expected, "\(isOfShare), \(taken) taken")
        #expect((late.completion != nil) == (kind == .customError && live.count - asked > 2))
        late.cancel()
      }
    }
  }

  @Test(arguments: [Kind.dropOldest, .dropNewest])
  func `B5: the gap behind a replay is told behind it`(kind: Kind) {
    for replay: Replay<Int> in [.latest, .last(3), .custom { Everything() }] {
      let shared = source.share(replay: replay)
      let keeping = attach(shared)
      for value in 1...3 { source.send(value) }
      let replayed = shared.replayed
      let late = TestSubscriber<Delivery<Int>, Broken>(initialDemand: .none)
      shared.joining(backlog: .size(2, whenFull: kind.whenFull)).deliveries().subscribe(late)
      for value in 4...9 { source.send(value) }
      late.request(.unlimited)
      source.send(10)
      let behind: [Delivery<Int>] =
        kind == .dropOldest
        ? [.missed(4), .live(8), .live(9), .live(10)]
        : [.live(4), .live(5), .missed(4), .live(10)]
      #expect(late.values == replayed.map { .replayed($0) } + [.caughtUp] + behind)
      late.cancel()
      keeping.cancel()
    }
  }

  @Test(arguments: [4, 5])
  func `B4, D6, D10: .rejoin without known places drops no replay`(number: Int) {
    for sends in [0, 2, 3, 7] {
      for isEnded in [false, true] {
        let subject = ReplaySubject<Int, Broken>(Self.replays[number])
        for value in 1...9 { subject.send(value) }
        let replay = subject.replayed
        if isEnded { subject.send(completion: .finished) }
        let late = slow()
        subject.joining(backlog: .size(2, whenFull: .rejoin)).subscribe(late)
        for value in 10..<10 + sends { subject.send(value) }
        late.request(.unlimited)
        let live = isEnded ? [] : Array(10..<10 + sends)
        // Three are one too many: they are dropped, and the next ones wait.
        #expect(late.values == replay + live.dropFirst(live.count / 3 * 3))
        #expect((late.completion != nil) == isEnded)
        late.cancel()
      }
    }
  }

  @Test func `B4: .rejoin drops nothing of what the first subscriber alone gets`() {
    let subject = ReplaySubject<Int, Broken>(.undelivered(9))
    for value in 1...5 { subject.send(value) }
    let late = slow()
    subject.joining(backlog: .size(2, whenFull: .rejoin), label: "late").subscribe(late)
    for value in 6...8 { subject.send(value) }
    #expect(subject.status.subscribers.map(\.missed) == [3])
    subject.send(9)
    late.request(.unlimited)
    #expect(late.values == [1, 2, 3, 4, 5, 9])
    late.cancel()
  }

  @Test func `B4: a new start takes the place of the rest of a replay`() {
    let subject = ReplaySubject<Int, Broken>(.sinceKeyframe { $0 % 10 == 0 })
    for value in 10...15 { subject.send(value) }
    let late = slow()
    subject.joining(backlog: .size(2, whenFull: .rejoin)).subscribe(late)
    late.request(.max(1))
    subject.send(20)
    subject.send(21)
    late.request(.max(1))
    #expect(late.values == [10, 11])
    subject.send(22)
    late.request(.unlimited)
    #expect(late.values == [10, 11, 20, 21, 22])
    late.cancel()
  }

  @Test func `B6: the rest of a replay holds nothing back`() {
    let upstream = TestPublisher<Int, Never>()
    let shared = upstream.share(
      replay: .all, disconnect: .whenReleased, backlog: .size(2, whenFull: .wait))
    let first = shared.sink { _ in }
    for value in 1...5 { upstream.send(value) }
    first.cancel()
    // What was requested still comes.
    for value in 6...7 { upstream.send(value) }
    #expect(upstream.requests.reduce(.none, +) == .max(7))
    let late = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(late)
    #expect(upstream.requests.reduce(.none, +) == .max(9))
    for value in 8...9 { upstream.send(value) }
    late.request(.max(7))
    #expect(upstream.requests.reduce(.none, +) == .max(9))
    late.request(.max(1))
    #expect(upstream.requests.reduce(.none, +) == .max(10))
    #expect(late.values == Array(1...8))
    late.cancel()
  }

  @Test func `B3, O6: behind a replay that nobody takes, what is dropped is released`() {
    let subject = ReplaySubject<Token, Never>(.last(3))
    for id in 1...3 { subject.send(Token(id)) }
    let late = TestSubscriber<Token, Never>(initialDemand: .none)
    subject.joining(backlog: .size(2, whenFull: .dropOldest)).subscribe(late)
    let watches = (4...12).map { id -> WeakReference in
      let token = Token(id)
      subject.send(token)
      return WeakReference(token)
    }
    // The replay of the next newcomer is three long.
    #expect(watches.map { $0.isAlive } == watches.indices.map { $0 >= 6 })
    late.request(.unlimited)
    #expect(late.values.map(\.id) == [1, 2, 3, 11, 12])
    late.cancel()
  }
}
