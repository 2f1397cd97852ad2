import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Who keeps a current value alive, and what threads do to it.
struct CurrentValueLifetimeTests {
  private let upstream = TestPublisher<Int, Broken>()

  @Test func `L7: it cancels its upstream when it is released`() {
    var current: CurrentValue? = upstream.share(replay: .latest, initial: 0)
    upstream.send(1)
    #expect(current?.value == 1)
    #expect(upstream.cancelCount == 0)
    current = nil
    #expect(upstream.cancelCount == 1)
    upstream.send(2)
  }

  @Test func `L7: what was mapped from it, and subscriptions, keep it following`() {
    var current: CurrentValue? = upstream.share(replay: .latest, initial: 0)
    var inner = current?.map { $0 + 1 }
    var outer = inner?.map { $0 * 10 }
    current = nil
    inner = nil
    upstream.send(1)
    #expect(outer?.value == 20)
    let seen = Notes<Int>()
    let sink = outer?.sink { _ in
    } receiveValue: {
      seen.append($0)
    }
    outer = nil
    upstream.send(2)
    #expect(seen.all == [20, 30])
    #expect(upstream.cancelCount == 0)
    sink?.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L7, D7: a subscription that is the last to keep it is cancelled inside receive`() {
    var current: CurrentValue? = upstream.share(replay: .latest, initial: 0)
    let subscriber = TestSubscriber<Int, Broken>(
      demandFor: { subscriber, number in
        if number == 1 { subscriber.cancel() }
        return .none
      })
    current?.subscribe(subscriber)
    current = nil
    #expect(upstream.cancelCount == 0)
    upstream.send(1)
    #expect(upstream.cancelCount == 1)
    upstream.send(2)
    #expect(subscriber.values == [0, 1])
    #expect(subscriber.violations == [])
  }

  @Test func `O4, O6: the value is released when it is replaced, and with the object`() {
    let source = PassthroughSubject<Token, Never>()
    let gone = Notes<Int>()
    var current: CurrentValue? = source.share(replay: .latest, initial: Token(0, gone))
    source.send(Token(1, gone))
    #expect(gone.all == [0])
    source.send(Token(2, gone))
    #expect(gone.all == [0, 1])
    withExtendedLifetime(current) {}
    current = nil
    #expect(gone.all == [0, 1, 2])
  }

  @Test func `O1: neither it nor its closures outlive it`() {
    expectReleased(after: .cancel) { scope in
      let source = scope.hold(PassthroughSubject<Int, Never>())
      let token = scope.track(Token(), "captured")
      let other = scope.track(Token(), "in map")
      return source.share(replay: .latest, initial: 0)
        .map { number in withExtendedLifetime(other) { number } }
        .sink { _ in withExtendedLifetime(token) {} }
    }
    expectReleased(after: .ownerReleased) { scope in
      let source = scope.hold(PassthroughSubject<Int, Never>())
      let other = scope.track(Token(), "in map")
      return source.share(replay: .latest, initial: 0)
        .map { number in withExtendedLifetime(other) { number } }
    }
  }

  @Test func `D2, D6: threads send, read, come and leave, and no value goes back`() {
    let source = PassthroughSubject<Int, Never>()
    let current = source.share(replay: .latest, initial: 0)
    let doubled = current.map { $0 * 2 }
    let isBackwards = Shared(false)
    let subscribers = Shared<[TestSubscriber<Int, Never>]>([])
    together([
      { for number in 1...2_000 { source.send(number) } },
      {
        var last = 0
        for _ in 0..<2_000 {
          let plain = current.value
          let twice = doubled.value
          // Read later, so it is not older.
          if plain < last || twice < plain * 2 { isBackwards.value = true }
          last = twice / 2
        }
      },
      {
        for step in 0..<100 {
          let subscriber = TestSubscriber<Int, Never>()
          let before = current.value
          (step % 2 == 0 ? current : current.map { $0 }).subscribe(subscriber)
          if let first = subscriber.values.first, first < before { isBackwards.value = true }
          if step % 3 == 0 {
            subscriber.cancel()
          } else {
            subscribers.change { $0.append(subscriber) }
          }
        }
      },
    ])
    #expect(!isBackwards.value)
    #expect(current.value == 2_000)
    for subscriber in subscribers.value {
      #expect(subscriber.values.isWindow(of: Array(0...2_000)))
      #expect(subscriber.values.last == 2_000)
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `L7: threads release what holds it while values come, and it cancels once`() {
    for _ in 0..<100 {
      let upstream = TestPublisher<Int, Broken>()
      let held = Shared<[CurrentValue<Int, Broken>]>([])
      held.change { held in
        let current = upstream.share(replay: .latest, initial: 0)
        held = [current, current.map { $0 + 1 }]
      }
      let subscriber = TestSubscriber<Int, Broken>()
      held.value.first?.subscribe(subscriber)
      together([
        { for number in 1...20 { upstream.send(number) } },
        {
          while let released = held.change({ $0.popLast() }) { withExtendedLifetime(released) {} }
        },
        { subscriber.cancel() },
      ])
      #expect(upstream.cancelCount == 1)
      #expect(subscriber.violations == [])
    }
  }
}
