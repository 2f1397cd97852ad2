import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D7CancelRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `D7: a cancel from elsewhere lets the call that runs finish, and nothing follows`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let held = HeldSubscriber(at: 1)
    let subscriber = held.subscriber
    let behind = TestSubscriber<Int, Broken>()
    subject.subscribe(subscriber)
    subject.subscribe(behind)
    let sender = TestThread { subject.send(1) }
    #expect(held.stands())
    subject.send(2)
    subject.send(completion: .finished)
    subscriber.cancel()
    behind.cancel()
    held.letGo()
    #expect(sender.join())
    #expect(subscriber.values == kind.replay + [1])
    #expect(subscriber.completion == nil)
    // It was not its turn yet when it was cancelled.
    #expect(behind.values == kind.replay)
    #expect(behind.completion == nil)
    #expect(subscriber.violations + behind.violations == [])
  }

  @Test func `D7: likewise of a sequence`() {
    let entered = Gate()
    let mayLeave = Gate()
    let subscriber = TestSubscriber<Int, Never> { _, value in
      if value == 2 {
        entered.open()
        mayLeave.wait()
      }
      return .none
    }
    let deliverer = TestThread { (1...5).publisher.subscribe(subscriber) }
    #expect(entered.wait())
    subscriber.cancel()
    mayLeave.open()
    #expect(deliverer.join())
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: at most one call follows a cancel that races with values and the terminal`(
    kind: SubjectKind
  ) {
    for _ in 0..<rounds(150) {
      let subject = kind.make()
      let subscribers = (0..<4).map { _ in TestSubscriber<Int, Broken>() }
      for subscriber in subscribers { subject.subscribe(subscriber) }
      let isOver = race(
        {
          (1...20).forEach(subject.send)
          subject.send(completion: .finished)
        },
        { subscribers.forEach { $0.cancel() } },
        { subscribers.reversed().forEach { $0.cancel() } })
      #expect(isOver)
      for subscriber in subscribers {
        #expect(subscriber.violations == [])
        #expect(subscriber.values.isWindow(of: Array(0...20)))
      }
    }
  }

  @Test func `D7: a cancel that races with a sequence stops it`() {
    for _ in 0..<rounds(150) {
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      (1...200).publisher.unspecialized.filter { _ in true }.map { $0 }.subscribe(subscriber)
      let isOver = race(
        { for _ in 0..<100 { subscriber.request(.max(1)) } },
        { for _ in 0..<100 { subscriber.request(.max(1)) } },
        { subscriber.cancel() })
      #expect(isOver)
      #expect(subscriber.violations == [])
      #expect(subscriber.values == Array((1...200).prefix(subscriber.values.count)))
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: a sink that is cancelled while it subscribes is silent from then on`(
    kind: SubjectKind
  ) {
    for _ in 0..<rounds(150) {
      let subject = kind.make()
      let late = Shared(0)
      let isCancelled = Shared(false)
      let sink = Subscribers.Sink<Int, Broken>(
        receiveCompletion: { _ in },
        receiveValue: { _ in if isCancelled.value { late.increment() } })
      let isOver = race(
        { subject.subscribe(sink) },
        {
          sink.cancel()
          isCancelled.value = true
        },
        { (1...20).forEach(subject.send) })
      #expect(isOver)
      #expect(late.value <= 1)
      let before = late.value
      subject.send(21)
      #expect(late.value == before)
    }
  }
}
