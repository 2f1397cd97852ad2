import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct B5DeliveriesTests {
  @Test func `B5: a gap among headers that are lacked again is told, and the next one too`() {
    let source = PassthroughSubject<String, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(limit: .count(1)) { $0.hasPrefix("K") }
        .headed { $0.hasPrefix("#") ? $0 : nil },
      backlog: .size(1, whenFull: .rejoin))
    let keeping = shared.sink { _ in }
    for value in ["#a", "#b", "#c", "K1"] { source.send(value) }
    let slow = TestSubscriber<Delivery<String>, Never>(initialDemand: .none)
    shared.deliveries().subscribe(slow)
    for value in ["K2", "K3"] { source.send(value) }
    slow.request(.max(1))
    for value in ["K4", "v", "v2", "K5"] { source.send(value) }
    let missed = shared.status.subscribers.map(\.missed)
    slow.request(.unlimited)
    let told = slow.values.reduce(0) { if case .missed(let count?) = $1 { $0 + count } else { $0 } }
    #expect(missed == [0, told])
    keeping.cancel()
    slow.cancel()
  }

  private let source = PassthroughSubject<Int, Never>()

  private func slow() -> TestSubscriber<Delivery<Int>, Never> {
    TestSubscriber(initialDemand: .none)
  }

  @Test func `B3, B5: a long replay of a cache stays while values behind it are dropped`() {
    let shared = source.share(
      replay: .latest { $0 % 100 }, backlog: .size(1, whenFull: .dropOldest))
    let keeping = shared.sink { _ in }
    for value in 0..<100 { source.send(value) }
    let told = slow()
    shared.deliveries().subscribe(told)
    for value in 100..<110 { source.send(value) }
    #expect(shared.status.subscribers.map(\.waiting) == [0, 101])
    told.request(.max(40))
    source.send(110)
    #expect(shared.status.subscribers.map(\.waiting) == [0, 61])
    told.request(.unlimited)
    #expect(
      told.values
        == (0..<100).map { .replayed($0) } + [.caughtUp, .missed(10), .live(110)])
    keeping.cancel()
    told.cancel()
  }

  @Test func `B5: replayed, caught up, live`() {
    let shared = source.share(replay: .last(2))
    let keeping = shared.sink { _ in }
    for value in 1...3 { source.send(value) }
    let told = slow()
    shared.deliveries().subscribe(told)
    #expect(told.values == [])
    told.request(.max(1))
    #expect(told.values == [.replayed(2)])
    source.send(4)
    told.request(.unlimited)
    source.send(5)
    #expect(told.values == [.replayed(2), .replayed(3), .caughtUp, .live(4), .live(5)])
    #expect(told.violations == [])
    source.send(completion: .finished)
    #expect(told.completion == .finished)
    keeping.cancel()
  }

  @Test func `B5: what is lost without a backlog is told too`() {
    for (replay, expected): (Replay<Int>, [Delivery<Int>]) in [
      (.none, [.caughtUp, .missed(3), .live(4)]),
      (.latest, [.caughtUp, .missed(2), .live(3), .live(4)]),
    ] {
      let shared = source.share(replay: replay)
      let keeping = shared.sink { _ in }
      let told = slow()
      shared.deliveries().subscribe(told)
      told.request(.max(1))
      for value in 1...3 { source.send(value) }
      told.request(.max(2))
      source.send(4)
      told.request(.unlimited)
      #expect(told.values == expected)
      told.cancel()
      keeping.cancel()
    }
  }

  @Test func `B5, D9: a gap at the end is told before the completion`() {
    let shared = source.share(backlog: .size(1, whenFull: .dropNewest))
    let told = slow()
    shared.deliveries().subscribe(told)
    for value in 1...4 { source.send(value) }
    source.send(completion: .finished)
    told.request(.max(2))
    #expect(told.values == [.caughtUp, .live(1)] && told.completion == nil)
    told.request(.max(1))
    #expect(told.values.last == .missed(3) && told.completion == .finished)
  }

  @Test func `B5: behind an unknown value there is a gap of unknown size`() {
    let shared = source.share(replay: .last(2))
    let keeping = shared.sink { _ in }
    for value in 1...5 { source.send(value) }
    let told = slow()
    shared.joining(.after(where: { $0 == 2 }, ifUnknown: .replay)).deliveries().subscribe(told)
    told.request(.unlimited)
    #expect(told.values == [.missed(nil), .replayed(4), .replayed(5), .caughtUp])
    let known = slow()
    shared.joining(.after { $0 == 4 }).deliveries().subscribe(known)
    known.request(.unlimited)
    #expect(known.values == [.replayed(5), .caughtUp])
    for subscriber in [told, known] { subscriber.cancel() }
    keeping.cancel()
  }

  @Test func `B5: a cancel inside an event is the last one`() {
    let shared = source.share(replay: .all)
    let keeping = shared.sink { _ in }
    source.send(1)
    nonisolated(unsafe) var events: [Delivery<Int>] = []
    nonisolated(unsafe) var cancellable: AnyCancellable?
    cancellable = shared.deliveries().sink { event in
      events.append(event)
      if event == .live(2) { cancellable?.cancel() }
    }
    source.send(2)
    source.send(3)
    #expect(events == [.replayed(1), .caughtUp, .live(2)])
    keeping.cancel()
  }

  @Test func `B5, D2: a send inside an event comes after it`() {
    let shared = source.share()
    nonisolated(unsafe) var events: [Delivery<Int>] = []
    let sink = shared.deliveries().sink { [source] event in
      if let value = event.value, value < 3 { source.send(value + 1) }
      events.append(event)
    }
    source.send(1)
    #expect(events == [.caughtUp, .live(1), .live(2), .live(3)])
    sink.cancel()
  }

  private static let replays: [Replay<Int>] = [
    .none, .latest, .all, .last(3), .sinceKeyframe { $0 % 5 == 0 },
    .sinceKeyframe(limit: .count(4)) { $0 % 7 == 0 }, .undelivered(2),
    .sinceKeyframe(limit: .count(2), fromBeginning: false) { $0 % 6 == 0 },
  ]

  /// The events of one subscriber, which say exactly where each value and each gap lies.
  private struct Account {
    let joinedAt: Int
    var next: Int
    var isCaughtUp = false

    mutating func check(_ event: Delivery<Int>) -> Bool {
      switch event {
      case .replayed(let value):
        defer { next = value + 1 }
        return !isCaughtUp && value < joinedAt && value == next
      case .caughtUp:
        defer { isCaughtUp = true }
        return !isCaughtUp && next >= joinedAt
      case .live(let value):
        defer { next = value + 1 }
        return isCaughtUp && value >= joinedAt && value == next
      case .missed(let count?):
        next += count
        return count > 0
      case .missed(nil): return false
      }
    }
  }

  @Test(arguments: 0..<8, ["none", "unbounded", "oldest", "newest", "rejoin"])
  func `B1, B5: the events account for every value`(replay: Int, whenFull: String) {
    for seed in seeds(10) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...4, using: &chance)
      let backlog: Backlog<Int, Never>? =
        switch whenFull {
        case "none": nil
        case "unbounded": .unbounded
        case "oldest": .size(size, whenFull: .dropOldest)
        case "newest": .size(size, whenFull: .dropNewest)
        case "rejoin": replay == 2 ? nil : .size(size, whenFull: .rejoin)
        default: nil
        }
      let isOfShare = Bool.random(using: &chance)
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.share(replay: Self.replays[replay], backlog: isOfShare ? backlog : nil)
      let joined = shared.joining(backlog: isOfShare ? nil : backlog)
      let keeping = shared.sink { _ in }
      var subscribers: [(TestSubscriber<Delivery<Int>, Never>, Int, Int)] = []
      var sent = 0
      for _ in 0..<80 {
        switch Int.random(in: 0..<10, using: &chance) {
        case 0:
          let subscriber = slow()
          if Bool.random(using: &chance) { subscriber.request(.max(1)) }
          let probe = TestSubscriber<Int, Never>()
          shared.subscribe(probe)
          probe.cancel()
          joined.deliveries().subscribe(subscriber)
          subscribers.append((subscriber, sent, probe.values.count))
        case 1...4:
          subscribers.randomElement(using: &chance)?.0
            .request(.max(.random(in: 1...3, using: &chance)))
        default:
          subject.send(sent)
          sent += 1
        }
      }
      subject.send(completion: .finished)
      for (subscriber, joinedAt, replayed) in subscribers {
        subscriber.request(.unlimited)
        var account = Account(joinedAt: joinedAt, next: joinedAt - replayed)
        let wrong = subscriber.values.first { !account.check($0) }
        #expect(wrong == nil, "seed \(seed), joined at \(joinedAt): \(subscriber.values)")
        #expect(account.next == sent, "seed \(seed), joined at \(joinedAt): \(subscriber.values)")
        #expect(account.isCaughtUp && subscriber.completion == .finished)
        #expect(subscriber.violations == [])
      }
      keeping.cancel()
    }
  }

  @Test(arguments: ["oldest", "newest", "rejoin"])
  func `B5, L9: after a reconnect who has caught up is not behind again`(whenFull: String) {
    let upstream = TestPublisher<Int, Never>()
    let backlog: Backlog<Int, Never> =
      switch whenFull {
      case "oldest": .size(5, whenFull: .dropOldest)
      case "newest": .size(5, whenFull: .dropNewest)
      default: .size(5, whenFull: .rejoin)
      }
    let shared = upstream.share(
      replay: .sinceKeyframe(fromBeginning: false) { $0 % 10 == 0 }, backlog: backlog)
    let keeping = shared.sink { _ in }
    for value in 10...13 { upstream.send(value) }
    let told = slow()
    shared.deliveries().subscribe(told)
    for value in 14...15 { upstream.send(value) }
    shared.reconnect()
    for value in 19...21 { upstream.send(value) }
    told.request(.unlimited)
    upstream.send(22)
    let caughtUp = told.values.firstIndex(of: .caughtUp) ?? .max
    for (place, event) in told.values.enumerated() {
      if case .live = event { #expect(place > caughtUp, "\(told.values)") }
      if case .replayed = event { #expect(place < caughtUp, "\(told.values)") }
    }
    #expect(told.values.last == .live(22))
    told.cancel()
    keeping.cancel()
  }
}
