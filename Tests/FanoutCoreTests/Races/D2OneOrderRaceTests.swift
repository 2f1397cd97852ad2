import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D2OneOrderRaceTests {
  /// Returns numbers that encode their sender and their position.
  private static func numbers(sender: Int) -> [Int] { (1...400).map { sender * 1000 + $0 } }

  @Test(arguments: SubjectKind.allCases)
  func `D2: several threads send, and all subscribers agree on one order`(kind: SubjectKind) {
    let subject = kind.make()
    let subscribers = (0..<6).map { _ in TestSubscriber<Int, Broken>() }
    for subscriber in subscribers { subject.subscribe(subscriber) }
    let senders: [@Sendable () -> Void] = (1...4).map { sender in
      { Self.numbers(sender: sender).forEach(subject.send) }
    }
    #expect(race(senders))
    subject.send(completion: .finished)
    let order = subscribers[0].values.dropFirst(kind.replay.count)
    #expect(order.count == 1600)
    for sender in 1...4 {
      #expect(order.filter { $0 / 1000 == sender } == Self.numbers(sender: sender))
    }
    for subscriber in subscribers {
      #expect(subscriber.values == subscribers[0].values)
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D2: who comes and goes meanwhile sees a contiguous part of that order`(kind: SubjectKind) {
    let subject = kind.make()
    let witness = TestSubscriber<Int, Broken>()
    subject.subscribe(witness)
    let visitors = Notes<TestSubscriber<Int, Broken>>()
    let visit: @Sendable () -> Void = {
      for round in 0..<40 {
        let visitor = TestSubscriber<Int, Broken>()
        visitors.append(visitor)
        subject.subscribe(visitor)
        if round.isMultiple(of: 2) { visitor.cancel() }
      }
    }
    let senders: [@Sendable () -> Void] = (1...3).map { sender in
      { Self.numbers(sender: sender).forEach(subject.send) }
    }
    #expect(race(senders + [visit, visit]))
    subject.send(completion: .finished)
    for visitor in visitors.all {
      #expect(visitor.values.isWindow(of: witness.values))
      #expect(visitor.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D2: who is attached when the terminal comes has seen the order to its end`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let visitors = Notes<TestSubscriber<Int, Broken>>()
    let visit: @Sendable () -> Void = {
      for _ in 0..<50 {
        let visitor = TestSubscriber<Int, Broken>()
        visitors.append(visitor)
        subject.subscribe(visitor)
      }
    }
    let send: @Sendable () -> Void = { (1...400).forEach(subject.send) }
    #expect(race(send, visit, visit))
    subject.send(completion: .finished)
    for visitor in visitors.all {
      #expect(visitor.values.isWindow(of: Array(0...400)))
      #expect(visitor.values.last == 400 || visitor.values.isEmpty)
      #expect(visitor.completion == .finished)
      #expect(visitor.violations == [])
    }
  }
}
