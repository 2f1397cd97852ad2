import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A subject whose first subscriber stays in `receive` on another thread until the test lets it
/// return.
private struct Busy {
  let subject: IntSubject
  let deliverer: TestThread
  let mayLeave = Gate()
  let isStuck: Bool
  let blocker: TestSubscriber<Int, Broken>
  /// The threads on which values were delivered to the blocker.
  let threads = Notes<UInt>()
  /// The thread that delivers.
  let deliverers = Notes<UInt>()

  init(_ subject: IntSubject) {
    self.subject = subject
    let entered = Gate()
    let mayLeave = mayLeave
    let threads = threads
    let deliverers = deliverers
    blocker = TestSubscriber { _, value in
      threads.append(thisThread())
      if value == 1 {
        entered.open()
        mayLeave.wait()
      }
      return .none
    }
    subject.subscribe(blocker)
    deliverer = TestThread {
      deliverers.append(thisThread())
      subject.send(1)
    }
    isStuck = entered.wait()
  }

  /// Lets the subscriber return from `receive` and waits for the delivering thread.
  func letGo() -> Bool {
    mayLeave.open()
    return deliverer.join()
  }
}

struct D4HandOverRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D4: a send returns at once and leaves its value to the thread that delivers`(
    kind: SubjectKind
  ) {
    let busy = Busy(kind.make())
    #expect(busy.isStuck)
    let isOver = finishes {
      busy.subject.send(2)
      busy.subject.send(3)
    }
    #expect(isOver)
    #expect(busy.blocker.values == kind.replay + [1])
    #expect(busy.letGo())
    #expect(busy.blocker.values == kind.replay + [1, 2, 3])
    let deliverer = busy.deliverers.all[0]
    #expect(busy.threads.all.suffix(3) == [deliverer, deliverer, deliverer])
    busy.blocker.cancel()
  }

  @Test func `D4: a request is left to the thread that delivers`() {
    let busy = Busy(SubjectKind.currentValue.make())
    #expect(busy.isStuck)
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    busy.subject.subscribe(subscriber)
    subscriber.request(.max(1))
    #expect(subscriber.events == [.subscription])
    #expect(busy.letGo())
    #expect(subscriber.events == [.subscription, .value(1)])
    busy.subject.send(completion: .finished)
  }

  @Test(arguments: SubjectKind.allCases)
  func `D4: a subscribe is left too, but the subscription comes before it returns`(
    kind: SubjectKind
  ) {
    let busy = Busy(kind.make())
    #expect(busy.isStuck)
    let subscriber = TestSubscriber<Int, Broken>()
    let told = Notes<UInt>()
    let tellers = Notes<UInt>()
    let witness = TestSubscriber<Int, Broken>(whenSubscribed: { _ in told.append(thisThread()) })
    let isOver = finishes {
      tellers.append(thisThread())
      busy.subject.subscribe(subscriber)
      busy.subject.subscribe(witness)
    }
    #expect(isOver)
    #expect(subscriber.events == [.subscription])
    #expect(told.all == tellers.all)
    busy.subject.send(2)
    #expect(busy.letGo())
    #expect(subscriber.values == (kind == .currentValue ? [1, 2] : [2]))
    busy.subject.send(completion: .finished)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D4: a terminal is left too, behind the values before it`(kind: SubjectKind) {
    let busy = Busy(kind.make())
    #expect(busy.isStuck)
    let isOver = finishes {
      busy.subject.send(2)
      busy.subject.send(completion: .finished)
      busy.subject.send(3)
    }
    #expect(isOver)
    #expect(busy.letGo())
    #expect(busy.blocker.values == kind.replay + [1, 2])
    #expect(busy.blocker.completion == .finished)
    #expect(busy.blocker.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D4: what many threads hand over is never lost`(kind: SubjectKind) {
    let busy = Busy(kind.make())
    #expect(busy.isStuck)
    let senders: [@Sendable () -> Void] = (1...4).map { sender in
      { (1...500).forEach { busy.subject.send(sender * 1000 + $0) } }
    }
    #expect(race(senders))
    #expect(busy.letGo())
    let handedOver = busy.blocker.values.filter { $0 >= 1000 }
    #expect(handedOver.count == 2000)
    #expect(Set(handedOver).count == 2000)
    #expect(busy.blocker.violations == [])
    busy.blocker.cancel()
  }

  @Test func `D4: a request to a sequence is left to the thread that delivers`() {
    let entered = Gate()
    let mayLeave = Gate()
    let threads = Notes<UInt>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      threads.append(thisThread())
      if value == 1 {
        entered.open()
        mayLeave.wait()
      }
      return .none
    }
    let deliverer = TestThread { (1...9).publisher.unspecialized.map { $0 }.subscribe(subscriber) }
    #expect(entered.wait())
    subscriber.request(.max(2))
    #expect(subscriber.values == [1])
    mayLeave.open()
    #expect(deliverer.join())
    #expect(subscriber.values == [1, 2, 3])
    #expect(Set(threads.all).count == 1)
    #expect(!threads.all.contains(thisThread()))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}
