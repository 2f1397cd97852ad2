import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ShareStateTests {
  private let upstream = TestPublisher<Int, Broken>()

  @Test func `D6: whoever comes gets a snapshot of all so far, and then changes`() {
    let shared = upstream.shareList()
    let early = ListSubscriber()
    shared.subscribe(early)
    upstream.send(1)
    upstream.send(2)
    let late = ListSubscriber()
    shared.subscribe(late)
    upstream.send(3)
    #expect(early.values == [.snapshot([]), .change(1), .change(2), .change(3)])
    #expect(late.values == [.snapshot([1, 2]), .change(3)])
    #expect(early.violations + late.violations == [])
    #expect(upstream.subscriptionCount == 1)
    early.cancel()
    late.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `the state is changed once for each value, whoever comes`() {
    let applied = Notes<Int>()
    let shared = upstream.share(reducingInto: 0) { sum, number in
      applied.append(number)
      sum += number
    }
    let sinks = (0..<3).map { _ in
      shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    (1...3).forEach(upstream.send)
    let late = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(applied.all == [1, 2, 3])
    (sinks + [late]).forEach { $0.cancel() }
  }

  @Test func `D8, D16: a slow subscriber gets its own snapshot, and loses nothing`() {
    let shared = upstream.shareList()
    let keeping = ListSubscriber()
    shared.subscribe(keeping)
    upstream.send(1)
    let slow = ListSubscriber(initialDemand: .none)
    shared.subscribe(slow)
    (2...4).forEach(upstream.send)
    #expect(slow.values == [])
    slow.request(.max(2))
    #expect(slow.values == [.snapshot([1]), .change(2)])
    slow.request(.unlimited)
    #expect(slow.lists.last == [1, 2, 3, 4])
    #expect(slow.violations == [])
    keeping.cancel()
    slow.cancel()
  }

  @Test(arguments: [Subscribers.Completion<Broken>.finished, .failure(Broken())])
  func `D9, D10, L3: after the end a newcomer gets the last state and the end`(
    end: Subscribers.Completion<Broken>
  ) {
    let shared = upstream.shareList()
    let slow = ListSubscriber(initialDemand: .max(1))
    shared.subscribe(slow)
    upstream.send(1)
    upstream.send(completion: end)
    #expect(slow.events == [.subscription, .value(.snapshot([]))])
    slow.request(.max(1))
    #expect(
      slow.events
        == [.subscription, .value(.snapshot([])), .value(.change(1)), .completion(end)])
    let late = ListSubscriber()
    shared.subscribe(late)
    #expect(late.events == [.subscription, .value(.snapshot([1])), .completion(end)])
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `D14: an upstream that sends at once and ends loses nothing`() {
    let shared = Publishers.Sequence<ClosedRange<Int>, Broken>(sequence: 1...3).shareList()
    let first = ListSubscriber()
    shared.subscribe(first)
    #expect(
      first.values == [.snapshot([]), .change(1), .change(2), .change(3)])
    #expect(first.completion == .finished)
    let second = ListSubscriber()
    shared.subscribe(second)
    #expect(second.values == [.snapshot([1, 2, 3])])
  }

  @Test func `L1, L2, L6: a new connection begins with the initial state, a kept one goes on`() {
    let clock = TestScheduler()
    for isKept in [false, true] {
      let upstream = TestPublisher<Int, Broken>()
      let shared = upstream.shareList(
        disconnect: isKept ? .whenIdle(for: .seconds(5), scheduler: clock) : .whenIdle)
      let first = ListSubscriber()
      shared.subscribe(first)
      upstream.send(1)
      first.cancel()
      upstream.send(2)
      let second = ListSubscriber()
      shared.subscribe(second)
      #expect(second.values == [.snapshot(isKept ? [1, 2] : [])])
      second.cancel()
      clock.advance(by: .seconds(5))
      #expect(upstream.cancelCount == (isKept ? 1 : 2))
    }
  }

  @Test func `L8: after an end in restart the next subscriber begins with the initial state`() {
    let shared = upstream.shareList(restart: .afterFailure)
    let again = ListSubscriber()
    let slow = ListSubscriber(initialDemand: .none)
    let first = ListSubscriber(whenCompleted: { _ in shared.subscribe(again) })
    shared.subscribe(first)
    shared.subscribe(slow)
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    upstream.send(2)
    #expect(first.values == [.snapshot([]), .change(1)])
    #expect(again.values == [.snapshot([]), .change(2)])
    slow.request(.unlimited)
    #expect(slow.lists.last == [1])
    #expect(slow.completion == .failure(Broken()))
    again.cancel()
  }

  @Test func `D3, D6: who subscribes and sends inside receive finds its place in the order`() {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.shareList()
    let inner = ListSubscriber()
    let outer = ListSubscriber(
      demandFor: { _, event in
        if event == .change(1) {
          source.send(2)
          shared.subscribe(inner)
          source.send(3)
        }
        return .none
      })
    shared.subscribe(outer)
    source.send(1)
    #expect(outer.values == [.snapshot([]), .change(1), .change(2), .change(3)])
    // The subject in front delivers both only after 1.
    #expect(inner.values == [.snapshot([1]), .change(2), .change(3)])
    #expect(outer.violations + inner.violations == [])
    outer.cancel()
    inner.cancel()
  }

  @Test func `D3: a send within the closure that changes the state waits its turn`() {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(reducingInto: [Int]()) { list, number in
      if number == 1 { source.send(2) }
      list.append(number)
    }
    let subscriber = ListSubscriber()
    shared.subscribe(subscriber)
    source.send(1)
    #expect(subscriber.values == [.snapshot([]), .change(1), .change(2)])
    subscriber.cancel()
  }

  @Test func `D7: a cancel inside the snapshot`() {
    let shared = upstream.shareList()
    let subscriber = ListSubscriber(
      demandFor: { subscriber, _ in
        subscriber.cancel()
        return .none
      })
    shared.subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.values == [.snapshot([])])
    #expect(upstream.subscriptionCount == upstream.cancelCount)
    #expect(subscriber.violations == [])
  }

  @Test func `B6: with .wait the slowest sets the pace`() {
    let shared = Publishers.Sequence<ClosedRange<Int>, Broken>(sequence: 1...5)
      .shareList(backlog: .size(2, whenFull: .wait))
    let fast = ListSubscriber()
    let slow = ListSubscriber(initialDemand: .none)
    shared.subscribe(slow)
    shared.subscribe(fast)
    #expect(fast.values.count < 5)
    slow.request(.unlimited)
    #expect(slow.lists.last == [1, 2, 3, 4, 5])
    #expect(fast.lists.last == [1, 2, 3, 4, 5])
    #expect(slow.completion == .finished)
  }

  @Test func `events are equal, hashed and described by their parts`() {
    let events: Set<ListUpdate> = [.snapshot([1]), .change(1), .snapshot([1]), .snapshot([])]
    #expect(events.count == 3)
    #expect("\(ListUpdate.snapshot([1]))" == "snapshot([1])")
  }
}

extension ShareStateTests {
  @Test func `O4, L2: the state is released with its connection, and the first one with the share`()
  {
    let source = PassthroughSubject<Token, Never>()
    let initial = WeakShared()
    var share: Publishers.ShareState? = source.share(reducingInto: initial.make()) { $0.append($1) }
    let sink = share?.sink { _ in }
    let value = {
      let token = Token()
      source.send(token)
      return WeakReference(token)
    }()
    #expect(value.isAlive)
    sink?.cancel()
    #expect(!value.isAlive)
    #expect(initial.isAlive)
    share = nil
    #expect(!initial.isAlive)
  }

  @Test func `O1: nothing leaks, however it ends`() {
    expectReleased(after: .cancel) { scope in
      let source = scope.hold(PassthroughSubject<Int, Never>())
      let token = scope.track(Token(), "captured")
      return source.share(reducingInto: 0) { $0 += $1 }
        .sink { _ in withExtendedLifetime(token) {} }
    }
    expectReleased(after: .completion) { scope in
      let source = PassthroughSubject<Int, Never>()
      let token = scope.track(Token(), "captured")
      scope.hold(
        source.share(reducingInto: 0) { $0 += $1 }
          .sink { _ in withExtendedLifetime(token) {} })
      return source
    }
  }
}

/// A list of one token, whose end is watched.
private final class WeakShared {
  private var reference: WeakReference?

  var isAlive: Bool { reference?.isAlive == true }

  func make() -> [Token] {
    let token = Token()
    reference = WeakReference(token)
    return [token]
  }
}
