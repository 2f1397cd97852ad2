import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A loop that fetches its values, beside a subscriber with the same terms to which the delivering thread hands them.
///
/// Whatever is sent and taken, both get the same events, and their accounts agree.
struct LoopBesideSubscriber {
  /// A replay, by its name.
  enum Start: String, CaseIterable, Sendable {
    case none, latest, last, newestOfEachKey, atMostACost, sinceKeyframe

    var replay: Replay<Int> {
      switch self {
      case .none: .none
      case .latest: .latest
      case .last: .last(3)
      case .newestOfEachKey: .latest(by: { $0 % 3 })
      case .atMostACost: .last(.count(3), .cost(20, of: { $0 % 9 }))
      case .sinceKeyframe: .sinceKeyframe { $0 % 11 == 3 }
      }
    }
  }

  /// Something that changes what a newcomer would get.
  enum Change: CaseIterable {
    case clear, reconnect, reconnectAndClear

    func apply<Source: Publisher>(to shared: Publishers.Share<Source>) {
      if self != .clear { shared.reconnect() }
      if self != .reconnect { shared.clearReplay() }
    }
  }

  let start: Start
  let backlog: Backlog<Int, Never>
  /// Whether both have the backlog of their own, and not that of the share.
  let joinsAlone: Bool
  /// Whether the upstream sends values that were not requested.
  var ignoresDemand = false
  /// What a step may do beside sending and taking.
  var act: ((inout SeededChance) -> Void)?

  /// Sends and takes at random.
  func run(_ chance: inout SeededChance, _ comment: Comment) async {
    if ignoresDemand {
      let source = TestPublisher<Int, Never>()
      await run(&chance, source, comment, source.send, source.send)
    } else {
      let source = PassthroughSubject<Int, Never>()
      await run(&chance, source, comment, source.send, source.send)
    }
  }

  private func run<Source: Publisher<Int, Never> & Sendable>(
    _ chance: inout SeededChance, _ source: Source, _ comment: Comment,
    _ send: (Int) -> Void, _ end: (Subscribers.Completion<Never>) -> Void
  ) async {
    let shared = source.share(replay: start.replay, backlog: joinsAlone ? nil : backlog)
    let keeping = shared.sink(receiveValue: { _ in })
    let early = Int.random(in: 0...4, using: &chance)
    for number in 0..<early { send(number) }
    let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    shared.joining(backlog: backlog).deliveries().subscribe(subscriber)
    var loop = shared.values.joining(backlog: backlog).deliveries().makeAsyncIterator()
    for number in early..<early + 80 {
      switch Int.random(in: 0..<20, using: &chance) {
      case 0, 1: Change.allCases.randomElement(using: &chance)?.apply(to: shared)
      case 2,
        3 where act != nil:
        act?(&chance)
      case 2..<12: send(number)
      default:
        guard shared.status.subscribers[1].waiting > 0 else { continue }
        let known = subscriber.values.count
        subscriber.request(.max(1))
        #expect(subscriber.values.count == known + 1, comment)
        #expect(await loop.next() == subscriber.values.last, comment)
      }
      compareAccounts(shared, comment)
    }
    let known = subscriber.values.count
    end(.finished)
    subscriber.request(.unlimited)
    var rest: [Delivery<Int>] = []
    while let event = await loop.next() { rest.append(event) }
    #expect(rest == Array(subscriber.values[known...]), comment)
    keeping.cancel()
  }

  /// Lets both join in the delivery of a value, and sends meanwhile, each value and the end behind a change or none.
  func runJoiningInDelivery(
    sending sent: Int, ends: Bool, behind changes: [Change?] = [], _ comment: Comment = ""
  ) async {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(replay: start.replay)
    let backlog = backlog
    let subscriber = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
    let loops = Shared<[SharedDeliveries<Int, Never>.Iterator]>([])
    let keeping = shared.sink { value in
      guard value == 2 else { return }
      shared.joining(backlog: backlog).deliveries().subscribe(subscriber)
      let made = shared.values.joining(backlog: backlog).deliveries().makeAsyncIterator()
      loops.change { $0.append(made) }
      for number in 0..<sent {
        if number < changes.count { changes[number]?.apply(to: shared) }
        source.send(3 + number)
      }
      if sent < changes.count { changes[sent]?.apply(to: shared) }
      if ends { source.send(completion: .finished) }
    }
    source.send(1)
    source.send(2)
    var loop = loops.value[0]
    loops.value = []
    if !ends {
      compareAccounts(shared, "\(sent) sent, \(comment)")
      source.send(completion: .finished)
    }
    subscriber.request(.unlimited)
    var events: [Delivery<Int>] = []
    while let event = await loop.next() { events.append(event) }
    #expect(events == subscriber.values, "\(sent) sent, \(ends), \(comment)")
    keeping.cancel()
  }

  private func compareAccounts<Source: Publisher>(
    _ shared: Publishers.Share<Source>, _ comment: Comment
  ) {
    let accounts = shared.status.subscribers
    guard accounts.count > 2 else { return }
    #expect(accounts[2].waiting == accounts[1].waiting, comment)
    #expect(accounts[2].missed == accounts[1].missed, comment)
    #expect(accounts[2].rejoins == accounts[1].rejoins, comment)
    #expect(accounts[2].conflated == accounts[1].conflated, comment)
  }
}
