import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An upstream that notes the most subscriptions that it has had at a time.
private final class CountedUpstream: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = Never

  struct Count {
    var live = 0
    var mostLive = 0
    var all = 0
  }

  private struct Held: Subscription {
    let upstream: CountedUpstream
    let combineIdentifier = CombineIdentifier()

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      upstream.whenCancelled()
      upstream.count.change { $0.live -= 1 }
    }
  }

  let count = Shared(Count())
  private let whenSubscribed: @Sendable () -> Void
  private let whenCancelled: @Sendable () -> Void

  init(
    whenSubscribed: @escaping @Sendable () -> Void = {},
    whenCancelled: @escaping @Sendable () -> Void = {}
  ) {
    self.whenSubscribed = whenSubscribed
    self.whenCancelled = whenCancelled
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    count.change {
      $0.all += 1
      $0.live += 1
      $0.mostLive = Swift.max($0.mostLive, $0.live)
    }
    whenSubscribed()
    subscriber.receive(subscription: Held(upstream: self))
  }

  /// Whether it has had so many subscriptions in all, and one of them at a time.
  func hasHad(_ all: Int, live: Int) -> Bool {
    let count = count.value
    return count.all == all && count.live == live && count.mostLive == 1
  }
}

struct D12TransitionTests {
  @Test(arguments: Policy.allCases)
  func `D12: a connection that begins while another one is closed waits, and holds up no thread`(
    policy: Policy
  ) {
    let isInside = Gate()
    let mayReturn = Gate()
    let upstream = CountedUpstream(whenCancelled: {
      isInside.open()
      mayReturn.wait()
    })
    let shared = upstream.share(replay: policy.replay)
    let old = shared.sink { _ in }
    let leaving = TestThread { old.cancel() }
    #expect(isInside.wait())
    let kept = Notes<AnyCancellable>()
    #expect(finishes { kept.append(shared.sink { _ in }) })
    #expect(upstream.hasHad(1, live: 1))
    mayReturn.open()
    #expect(leaving.join())
    #expect(upstream.hasHad(2, live: 1))
    kept.all.forEach { $0.cancel() }
    #expect(upstream.hasHad(2, live: 0))
  }

  @Test func `D12: who comes and goes while another connection is closed begins none`() {
    let isInside = Gate()
    let mayReturn = Gate()
    let upstream = CountedUpstream(whenCancelled: {
      isInside.open()
      mayReturn.wait()
    })
    let shared = upstream.share()
    let old = shared.sink { _ in }
    let leaving = TestThread { old.cancel() }
    #expect(isInside.wait())
    #expect(finishes { shared.sink { _ in }.cancel() })
    mayReturn.open()
    #expect(leaving.join())
    #expect(upstream.hasHad(1, live: 0))
  }

  @Test func `D12: a connection that is closed while it begins is followed by one that waits`() {
    let isInside = Gate()
    let mayReturn = Gate()
    let upstream = CountedUpstream(whenSubscribed: {
      isInside.open()
      mayReturn.wait()
    })
    let multicast = upstream.multicast(replay: .none)
    let claim = Notes<AnyCancellable>()
    let beginning = TestThread { claim.append(AnyCancellable(multicast.connect())) }
    #expect(isInside.wait())
    let second = Notes<AnyCancellable>()
    #expect(finishes { second.append(AnyCancellable(multicast.connect())) })
    #expect(upstream.count.value.all == 1)
    mayReturn.open()
    #expect(beginning.join())
    #expect(upstream.hasHad(1, live: 1))
    (claim.all + second.all).forEach { $0.cancel() }
    #expect(upstream.hasHad(1, live: 0))
  }

  @Test func `D12 L9: a reconnect inside the upstream's cancel makes one subscription`() {
    let again = Shared<(@Sendable () -> Void)?>(nil)
    let upstream = CountedUpstream(whenCancelled: { again.value?() })
    let shared = upstream.share(replay: .all)
    let keeping = shared.sink { _ in }
    again.value = {
      again.value = nil
      shared.reconnect()
    }
    shared.reconnect()
    #expect(upstream.count.value.mostLive == 1)
    #expect(upstream.count.value.live == 1)
    keeping.cancel()
    #expect(upstream.count.value.live == 0)
  }

  @Test func `L1 L9: the last to leave inside a reconnect closes the new connection`() {
    let last = Shared<AnyCancellable?>(nil)
    let upstream = CountedUpstream(whenCancelled: { last.value?.cancel() })
    let shared = upstream.share(reducingInto: 0) { $0 += $1 }
    last.value = shared.sink { _ in }
    shared.reconnect()
    #expect(upstream.count.value.live == 0)
    // A connection without a value would have an empty state as its replay.
    #expect(shared.replayed.isEmpty)
    #expect(!shared.status.isConnected)
  }

  @Test func `D12: a subscriber that comes inside the upstream's cancel gets a new connection`() {
    let again = Shared<(@Sendable () -> Void)?>(nil)
    let upstream = CountedUpstream(whenCancelled: { again.value?() })
    let shared = upstream.share()
    let kept = Notes<AnyCancellable>()
    again.value = {
      again.value = nil
      kept.append(shared.sink { _ in })
      #expect(upstream.hasHad(1, live: 1))
    }
    shared.sink { _ in }.cancel()
    #expect(upstream.hasHad(2, live: 1))
    kept.all.forEach { $0.cancel() }
    #expect(upstream.hasHad(2, live: 0))
  }
}
