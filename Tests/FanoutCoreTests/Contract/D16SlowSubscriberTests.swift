import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D16SlowSubscriberTests {
  @Test func `D16: a passthrough subject drops what has no demand`() {
    let subject = PassthroughSubject<Int, Never>()
    let slow = TestSubscriber<Int, Never>(initialDemand: .max(1))
    let fast = TestSubscriber<Int, Never>()
    subject.subscribe(slow)
    subject.subscribe(fast)
    (1...3).forEach(subject.send)
    #expect(slow.values == [1])
    slow.request(.max(1))
    #expect(slow.values == [1])
    (4...6).forEach(subject.send)
    #expect(slow.values == [1, 4])
    slow.request(.unlimited)
    (7...9).forEach(subject.send)
    #expect(slow.values == [1, 4, 7, 8, 9])
    #expect(fast.values == Array(1...9))
    #expect(slow.violations + fast.violations == [])
    slow.cancel()
    fast.cancel()
  }

  @Test func `D16: a current value subject hands the newest over on the next request`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    subject.subscribe(slow)
    (1...3).forEach(subject.send)
    #expect(slow.values == [])
    slow.request(.max(1))
    #expect(slow.values == [3])
    // It has the newest: a further request waits for a change, as in Combine.
    slow.request(.max(2))
    #expect(slow.values == [3])
    (4...6).forEach(subject.send)
    #expect(slow.values == [3, 4, 5])
    slow.request(.unlimited)
    #expect(slow.values == [3, 4, 5, 6])
    subject.send(7)
    #expect(slow.values == [3, 4, 5, 6, 7])
    #expect(slow.violations == [])
    slow.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D16: a slow subscriber does not hold the others up`(kind: SubjectKind) {
    let subject = kind.make()
    let slow = (0..<3).map { _ in TestSubscriber<Int, Broken>(initialDemand: .none) }
    let fast = TestSubscriber<Int, Broken>()
    subject.subscribe(slow[0])
    subject.subscribe(slow[1])
    subject.subscribe(fast)
    subject.subscribe(slow[2])
    (1...50).forEach(subject.send)
    #expect(fast.values == kind.replay + (1...50))
    for subscriber in slow {
      subscriber.request(.max(1))
      #expect(subscriber.values == (kind == .currentValue ? [50] : []))
    }
    subject.send(completion: .finished)
    #expect((slow + [fast]).allSatisfy { $0.completion == .finished && $0.violations == [] })
  }

  @Test func `D16: who changes from asking for little to everything misses nothing from then on`() {
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      value == 1 ? .unlimited : .none
    }
    subject.subscribe(subscriber)
    (1...100).forEach(subject.send)
    #expect(subscriber.values == Array(1...100))
    subscriber.cancel()
  }
}
