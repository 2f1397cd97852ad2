import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D4HandOverTests {
  @Test(arguments: Policy.allCases)
  func `D4: while one thread delivers, send, subscribe, request and cancel return at once`(
    policy: Policy
  ) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let newcomer = TestSubscriber<Int, Broken>(initialDemand: .none)
    let leaver = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        busy.upstream.send(2)
        busy.share.subscribe(newcomer)
        newcomer.request(.max(1))
        busy.share.subscribe(leaver)
        leaver.cancel()
        busy.upstream.send(3)
        busy.upstream.send(completion: .finished)
      })
    #expect(busy.held.subscriber.values == [1])
    #expect(newcomer.events == [.subscription])
    #expect(busy.letGo())
    #expect(busy.held.subscriber.values == [1, 2, 3])
    #expect(busy.held.subscriber.completion == .finished)
    switch policy {
    case .none: #expect(newcomer.values == [3])
    case .latest: #expect(newcomer.values == [2])
    default: #expect(newcomer.values == Array((policy.remembered(of: [1, 2]) + [3]).prefix(1)))
    }
    #expect(leaver.events == [.subscription])
    #expect(busy.held.subscriber.violations + newcomer.violations == [])
    newcomer.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `D4: what is handed over is delivered by the thread that delivers`(policy: Policy) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let threads = Notes<ThreadID>()
    let newcomer = TestSubscriber<Int, Broken>(demandFor: { _, _ in
      threads.append(.current)
      return .none
    })
    let other = Shared<ThreadID?>(nil)
    let mayEnd = Gate()
    let haveSent = Gate()
    let thread = TestThread {
      other.value = .current
      busy.share.subscribe(newcomer)
      busy.upstream.send(2)
      busy.upstream.send(3)
      haveSent.open()
      mayEnd.wait()
    }
    #expect(haveSent.wait())
    #expect(busy.letGo())
    #expect(newcomer.values == policy.remembered(of: [1]) + [2, 3])
    #expect(Set(threads.all).count == 1)
    #expect(!threads.all.contains { $0 == other.value })
    mayEnd.open()
    #expect(thread.join())
    busy.held.subscriber.cancel()
    newcomer.cancel()
  }

  @Test func `D4: connect and disconnect are handed over too, and take effect at their place`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let multicast = upstream.multicast(replay: .all)
    let held = HeldSubscriber(at: 1)
    multicast.subscribe(held.subscriber)
    let claim = Shared(AnyCancellable(multicast.connect()))
    let sending = TestThread { upstream.subscriptions[0].send(1) }
    #expect(held.stands())
    let newcomer = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        upstream.subscriptions[0].send(2)
        claim.value.cancel()
        upstream.subscriptions[0].send(3)
        claim.value = AnyCancellable(multicast.connect())
        upstream.subscriptions[1].send(10)
        multicast.subscribe(newcomer)
        upstream.subscriptions[0].send(4)
        upstream.subscriptions[1].send(11)
      })
    held.letGo()
    #expect(sending.join())
    #expect(held.subscriber.values == [1, 2, 10, 11])
    #expect(newcomer.values == [10, 11])
    claim.value.cancel()
    held.subscriber.cancel()
    newcomer.cancel()
  }
}

struct D4HandOverRaceTests {
  @Test(arguments: Policy.allCases)
  func `D4: what many threads hand over is never lost`(policy: Policy) {
    let busy = BusyShare(policy.replay)
    #expect(busy.isBusy)
    let senders = (1...4).map { sender -> @Sendable () -> Void in
      { for value in 1...300 { busy.upstream.send(sender * 1000 + value) } }
    }
    together(senders)
    #expect(busy.letGo())
    let handedOver = busy.held.subscriber.values.dropFirst()
    #expect(handedOver.count == 1200)
    #expect(Set(handedOver).count == 1200)
    for sender in 1...4 {
      // In the order of the sender.
      let mine = handedOver.filter { $0 / 1000 == sender }
      #expect(mine == (1...300).map { sender * 1000 + $0 })
    }
    #expect(busy.held.subscriber.violations == [])
    busy.held.subscriber.cancel()
  }
}
