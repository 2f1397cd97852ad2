import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct O6EvictionTests {
  private typealias Source = PassthroughSubject<Token, Never>

  /// A subscriber that gets the numbers alone, so that it keeps no value alive.
  private func numbers(
    _ publisher: some Publisher<Token, Never>, _ demand: Subscribers.Demand = .unlimited
  ) -> TestSubscriber<Int, Never> {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: demand)
    publisher.map(\.id).subscribe(subscriber)
    return subscriber
  }

  @Test(arguments: Policy.allCases)
  func `O6: what lives is what a newcomer would be given, value by value`(policy: Policy) {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: policy.replay { $0.id })
    let alive = Notes<[Int]>()
    let fast = TestSubscriber<Int, Never>(demandFor: { _, id in
      // The value that is being delivered lives in any case.
      alive.append(mint.alive.filter { $0 != id })
      return .none
    })
    share.map(\.id).subscribe(fast)
    for id in 1...20 {
      upstream.send(mint.make(id))
      let remembered = policy.remembered(of: Array(1...id))
      #expect(mint.alive == remembered)
      // Evicted before the value that evicted it was delivered.
      #expect(alive.all.last == remembered.filter { $0 != id })
    }
    fast.cancel()
    #expect(mint.alive == [])
  }

  @Test(arguments: Policy.lossless)
  func `O6: and what somebody who lags is still owed, until taken`(policy: Policy) {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: policy.replay { $0.id })
    let fast = numbers(share)
    let slow = numbers(share, .none)
    let slower = numbers(share, .none)
    for id in 1...12 { upstream.send(mint.make(id)) }
    let remembered = policy.remembered(of: Array(1...12))
    #expect(mint.alive == Array(1...12))
    for taken in 1...6 {
      slow.request(.max(1))
      // The slower one lacks it yet.
      #expect(mint.alive == (1...12).filter { $0 >= taken || remembered.contains($0) })
      slower.request(.max(1))
      #expect(mint.alive == (1...12).filter { $0 > taken || remembered.contains($0) })
    }
    slow.cancel()
    #expect(mint.alive == (1...12).filter { $0 > 6 || remembered.contains($0) })
    slower.cancel()
    #expect(mint.alive == remembered)
    #expect(fast.values == Array(1...12))
    fast.cancel()
    #expect(mint.alive == [])
  }

  @Test(arguments: Policy.lossless)
  func `O6: while somebody catches up, each value goes as soon as it was taken`(policy: Policy) {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: policy.replay { $0.id })
    let fast = numbers(share)
    let alive = Notes<[Int]>()
    let slow = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, _ in
        alive.append(mint.alive)
        return .none
      })
    share.map(\.id).subscribe(slow)
    for id in 1...8 { upstream.send(mint.make(id)) }
    slow.request(.unlimited)
    let remembered = policy.remembered(of: Array(1...8))
    #expect(
      alive.all == (1...8).map { id in (1...8).filter { $0 >= id || remembered.contains($0) } })
    #expect(mint.alive == remembered)
    [fast, slow].forEach { $0.cancel() }
  }

  @Test func `O6: under .latest one value lives, whoever lags`() {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: .latest)
    let slow = numbers(share, .none)
    let once = numbers(share, .max(1))
    for id in 1...5 {
      upstream.send(mint.make(id))
      #expect(mint.alive == [id])
    }
    slow.request(.max(1))
    #expect(slow.values == [5])
    #expect(mint.alive == [5])
    [slow, once].forEach { $0.cancel() }
    #expect(mint.alive == [])
  }

  @Test func `O6: under .latest the replaced value has gone before the next one is delivered`() {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: .latest)
    let alive = Notes<[Int]>()
    let limited = TestSubscriber<Int, Never>(
      initialDemand: .max(9),
      demandFor: { _, _ in
        alive.append(mint.alive)
        return .none
      })
    share.map(\.id).subscribe(limited)
    for id in 1...3 { upstream.send(mint.make(id)) }
    #expect(alive.all == [[1], [2], [3]])
    limited.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `O6: a disconnect keeps what is owed and nothing else`(policy: Policy) {
    let mint = TokenMint()
    let upstream = Source()
    let multicast = upstream.multicast(replay: policy.replay { $0.id })
    let slow = numbers(multicast, .none)
    let fast = numbers(multicast)
    var claim = AnyCancellable(multicast.connect())
    for id in 1...6 { upstream.send(mint.make(id)) }
    slow.request(.max(2))
    claim.cancel()
    switch policy {
    case .none: #expect(mint.alive == [])
    case .latest: #expect(slow.values == [6] && mint.alive == [])
    default: #expect(mint.alive == [3, 4, 5, 6])
    }
    claim = AnyCancellable(multicast.connect())
    for id in 11...14 { upstream.send(mint.make(id)) }
    let remembered = policy.remembered(of: [11, 12, 13, 14])
    slow.request(.unlimited)
    #expect(mint.alive == remembered)
    fast.cancel()
    claim.cancel()
    #expect(mint.alive == [])
    slow.cancel()
  }

  @Test func `O6: under .latest what is owed over a disconnect lives until it is taken`() {
    let mint = TokenMint()
    let upstream = Source()
    let multicast = upstream.multicast(replay: .latest)
    let slow = numbers(multicast, .none)
    let slower = numbers(multicast, .none)
    let claim = multicast.connect()
    for id in 1...3 { upstream.send(mint.make(id)) }
    claim.cancel()
    #expect(mint.alive == [3])
    slow.request(.max(1))
    #expect(mint.alive == [3])
    slower.request(.max(1))
    #expect(slow.values + slower.values == [3, 3])
    #expect(mint.alive == [])
    [slow, slower].forEach { $0.cancel() }
  }

  @Test(arguments: Policy.lossless)
  func `O6: what a late one was to be given goes when it leaves`(policy: Policy) {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: policy.replay { $0.id })
    let fast = numbers(share)
    for id in 1...4 { upstream.send(mint.make(id)) }
    let late = numbers(share, .none)
    let replay = policy.remembered(of: [1, 2, 3, 4])
    for id in 5...12 { upstream.send(mint.make(id)) }
    let remembered = Set(policy.remembered(of: Array(1...12)))
    #expect(Set(mint.alive) == remembered.union(replay).union(5...12))
    late.cancel()
    #expect(Set(mint.alive) == remembered)
    fast.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `O6: values that wait while a delivery is in progress live no longer than they have to`(
    policy: Policy
  ) {
    let mint = TokenMint()
    let upstream = Source()
    let share = upstream.share(replay: policy.replay { $0.id })
    let entered = Gate()
    let mayLeave = Gate()
    let alive = Notes<[Int]>()
    let held = TestSubscriber<Int, Never>(demandFor: { _, id in
      if id == 1 {
        entered.open()
        mayLeave.wait()
      } else {
        // The first is held by its sender, whose send has not returned.
        alive.append(mint.alive.filter { $0 > 1 })
      }
      return .none
    })
    share.map(\.id).subscribe(held)
    let sending = TestThread { upstream.send(mint.make(1)) }
    #expect(entered.wait())
    #expect(finishes { for id in 2...6 { upstream.send(mint.make(id)) } })
    mayLeave.open()
    #expect(sending.join())
    // In the middle of `id`: the values remembered by then, the value itself, and those to come.
    let expected = (2...6).map { id in
      (2...6).filter { $0 >= id || policy.remembered(of: Array(1...id)).contains($0) }
    }
    #expect(alive.all == expected)
    #expect(mint.alive == policy.remembered(of: Array(1...6)))
    held.cancel()
  }
}
