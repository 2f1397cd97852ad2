import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D11NoLockTests {
  @Test(arguments: Policy.allCases)
  func `D11: a subscriber may take a lock that another sender holds`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let lock = UserLock()
    let isInside = Gate()
    let isHeld = Gate()
    let couldLock = Shared(false)
    let subscriber = TestSubscriber<Int, Broken>(demandFor: { _, value in
      guard value == 1 else { return .none }
      isInside.open()
      isHeld.wait()
      couldLock.value = lock.hold {}
      return .none
    })
    share.subscribe(subscriber)
    let delivering = TestThread { upstream.send(1) }
    #expect(isInside.wait())
    let late = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        lock.hold {
          isHeld.open()
          // Everything that can be done to a share, with the lock that its delivery waits for.
          upstream.send(2)
          share.subscribe(late)
          late.request(.max(1))
          late.cancel()
        }
      })
    #expect(delivering.join())
    #expect(couldLock.value)
    #expect(subscriber.values == [1, 2])
    subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D11: a thread that sends under a lock holds it while it delivers what others send`(
    policy: Policy
  ) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let lock = UserLock()
    let couldLock = Notes<Bool>()
    let subscriber = TestSubscriber<Int, Broken>(demandFor: { _, value in
      // Only for a value that another thread sends does it want the lock.
      if value == 1 {
        #expect(finishes { upstream.send(2) })
      } else {
        couldLock.append(lock.isFree)
      }
      return .none
    })
    share.subscribe(subscriber)
    lock.hold { upstream.send(1) }
    #expect(couldLock.all == [false])
    upstream.send(3)
    #expect(couldLock.all == [false, true])
    #expect(subscriber.values == [1, 2, 3])
    subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D11: a subscriber gets a lock that every sender frees before it sends`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let lock = UserLock()
    let couldLock = Notes<Bool>()
    let send: @Sendable (Int) -> Void = { value in
      lock.hold {}
      upstream.send(value)
    }
    let subscriber = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 1 { #expect(finishes { send(2) }) }
      couldLock.append(lock.hold {})
      return .none
    })
    share.subscribe(subscriber)
    send(1)
    #expect(couldLock.all == [true, true])
    subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D11: while a subscriber is inside receive nothing else of the share is pushed`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let late = TestSubscriber<Int, Broken>()
    let other = TestSubscriber<Int, Broken>(initialDemand: .none)
    #expect(
      finishes {
        busy.share.subscribe(late)
        busy.share.subscribe(other)
        other.request(.unlimited)
        busy.upstream.send(2)
      })
    #expect(late.events == [.subscription])
    #expect(other.events == [.subscription])
    #expect(busy.letGo())
    for subscriber in [late, other] {
      #expect(subscriber.values == policy.remembered(of: [1]) + [2])
      subscriber.cancel()
    }
    busy.held.subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D11: a different share is not held up`(policy: Policy) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let upstream = PassthroughSubject<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>()
    upstream.share(replay: policy.replay).subscribe(subscriber)
    upstream.send(1)
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(busy.letGo())
    busy.held.subscriber.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D11: everything may be done from inside every call`(policy: Policy) {
    let isDone = finishes {
      let upstream = PassthroughSubject<Int, Broken>()
      let multicast = upstream.multicast(replay: policy.replay)
      let share = multicast.autoconnect()
      let kept = Notes<AnyCancellable>()
      let doAll: @Sendable (Int) -> Void = { depth in
        guard kept.count < 40 else { return }
        upstream.send(100 + depth)
        kept.append(share.sink(receiveCompletion: { _ in }, receiveValue: { _ in }))
        kept.append(AnyCancellable(multicast.connect()))
        kept.all.first?.cancel()
      }
      let subscriber = TestSubscriber<Int, Broken>(
        initialDemand: .max(1),
        demandFor: { _, value in
          doAll(value)
          return .max(1)
        },
        whenSubscribed: { _ in doAll(1) }, whenCompleted: { _ in doAll(2) })
      share.subscribe(subscriber)
      for value in 1...5 { upstream.send(value) }
      upstream.send(completion: .finished)
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
      kept.all.forEach { $0.cancel() }
    }
    #expect(isDone)
  }
}
