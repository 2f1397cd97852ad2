import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D8DemandRaceTests {
  @Test func `D8: a thousand requests from many threads are a thousand values`() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    subject.subscribe(subscriber)
    let ask: @Sendable () -> Void = { for _ in 0..<250 { subscriber.request(.max(1)) } }
    #expect(race(ask, ask, ask, ask))
    (1...1500).forEach(subject.send)
    #expect(subscriber.values == Array(1...1000))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: a request that races with a delivery is never lost`(kind: SubjectKind) {
    for _ in 0..<rounds(300) {
      let subject = kind.make()
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(kind.replay.count))
      subject.subscribe(subscriber)
      subscriber.request(.max(1))
      let isOver = race({ subscriber.request(.max(1)) }, { subject.send(1) })
      #expect(isOver)
      subject.send(2)
      subject.send(3)
      #expect(subscriber.values == kind.replay + [1, 2])
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D8: requests and returned demand that race add up to every value of a sequence`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none) { _, value in
      value.isMultiple(of: 3) ? .max(1) : .none
    }
    (1...1200).publisher.unspecialized.filter { $0 > 0 }.subscribe(subscriber)
    let ask: @Sendable () -> Void = { for _ in 0..<200 { subscriber.request(.max(1)) } }
    #expect(race(ask, ask, ask, ask))
    // 800 requested, and one more for each third value: 800 + 266 + 88 + 29 + 10 + 3 + 1, and so
    // on.
    var allowed = 800
    var delivered = 0
    while allowed > 0, delivered < 1200 {
      allowed -= 1
      delivered += 1
      if delivered.isMultiple(of: 3) { allowed += 1 }
    }
    #expect(subscriber.values == Array(1...delivered))
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: a current value that is asked for while it changes is never old or doubled`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    subject.subscribe(subscriber)
    let isOver = race(
      { (1...2000).forEach(subject.send) },
      { for _ in 0..<1000 { subscriber.request(.max(1)) } },
      { for _ in 0..<1000 { subscriber.request(.max(1)) } })
    #expect(isOver)
    subscriber.request(.max(1))
    let values = subscriber.values
    #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    #expect(values.last == 2000)
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }
}
