import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that combine, with publishers that several threads drive.
@Suite(.noLeaks) struct CombiningRaceTests {
  private typealias Subject = PassthroughSubject<Int, Never>

  /// Sends the values on two threads, and returns whether both have come to their end.
  private func drive(_ a: Subject, _ b: Subject, _ others: @escaping @Sendable () -> Void = {})
    -> Bool
  {
    race(
      {
        for value in 1...100 { a.send(value) }
        a.send(completion: .finished)
      },
      {
        for value in 1...100 { b.send(value) }
        b.send(completion: .finished)
      },
      others)
  }

  @Test func `D4 D9: zip pairs all, whoever is faster`() {
    for _ in 0..<rounds(100) {
      let (a, b) = (Subject(), Subject())
      let subscriber = TestSubscriber<[Int], Never>()
      a.zip(b) { [$0, $1] }.subscribe(subscriber)
      #expect(drive(a, b))
      #expect(subscriber.values == (1...100).map { [$0, $0] })
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D4 D8: zip with requests of a third thread`() {
    for _ in 0..<rounds(100) {
      let subscriber = TestSubscriber<[Int], Never>(initialDemand: .none)
      let (a, b) = (Subject(), Subject())
      let (first, second) = (
        a.buffer(size: 200, prefetch: .byRequest, whenFull: .dropOldest),
        b.buffer(size: 200, prefetch: .byRequest, whenFull: .dropOldest)
      )
      first.zip(second) { [$0, $1] }.subscribe(subscriber)
      #expect(drive(a, b) { for _ in 1...50 { subscriber.request(.max(2)) } })
      #expect(subscriber.values == (1...100).map { [$0, $0] })
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D4 D9: combineLatest never goes back, and comes to the last of both`() {
    for _ in 0..<rounds(100) {
      let (a, b) = (Subject(), Subject())
      let subscriber = TestSubscriber<[Int], Never>()
      a.combineLatest(b) { [$0, $1] }.subscribe(subscriber)
      #expect(drive(a, b))
      let pairs = subscriber.values
      for (one, next) in zip(pairs, pairs.dropFirst()) {
        #expect(one[0] + one[1] + 1 == next[0] + next[1])
        #expect(one[0] <= next[0] && one[1] <= next[1])
      }
      // One of them may have sent everything before the other began.
      #expect(pairs.last == [100, 100])
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D4: withLatestFrom delivers every value once the other has one`() {
    for _ in 0..<rounds(100) {
      let (a, b) = (Subject(), CurrentValueSubject<Int, Never>(0))
      let subscriber = TestSubscriber<[Int], Never>()
      a.withLatestFrom(b) { [$0, $1] }.subscribe(subscriber)
      let isOver = race(
        {
          for value in 1...100 { a.send(value) }
          a.send(completion: .finished)
        }, { for value in 1...100 { b.send(value) } })
      #expect(isOver)
      #expect(subscriber.values.map { $0[0] } == Array(1...100))
      let others = subscriber.values.map { $0[1] }
      #expect(others == others.sorted())
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D7 D9: prefix(untilOutputFrom:) ends once, with a trigger from another thread`() {
    for _ in 0..<rounds(100) {
      let (a, stop) = (Subject(), Subject())
      let subscriber = TestSubscriber<Int, Never>()
      a.prefix(untilOutputFrom: stop).subscribe(subscriber)
      let isOver = race({ for value in 1...100 { a.send(value) } }, { stop.send(0) })
      #expect(isOver)
      #expect(subscriber.values == Array(Array(1...100).prefix(subscriber.values.count)))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D7 O2: a cancel from another thread releases the values that wait`() {
    final class Token: Sendable {}
    for _ in 0..<rounds(100) {
      let (a, b) = (PassthroughSubject<Token, Never>(), PassthroughSubject<Token, Never>())
      let subscriber = TestSubscriber<Int, Never>()
      a.zip(b) { _, _ in 1 }.merge(with: a.combineLatest(b) { _, _ in 2 }).subscribe(subscriber)
      let sent = Notes<Weak>()
      let send: @Sendable (PassthroughSubject<Token, Never>) -> Void = { subject in
        for _ in 0..<50 {
          let token = Token()
          sent.append(Weak(object: token))
          subject.send(token)
        }
      }
      let isOver = race({ send(a) }, { send(b) }, { subscriber.cancel() })
      #expect(isOver)
      #expect(sent.all.allSatisfy { $0.object == nil })
      #expect(subscriber.violations == [])
    }
  }

  @Test
  func `D4: switchToLatest delivers each publisher's values in order, and the last to its end`() {
    for _ in 0..<rounds(100) {
      let outer = PassthroughSubject<Subject, Never>()
      let inner = (0..<4).map { _ in Subject() }
      let subscriber = TestSubscriber<Int, Never>()
      outer.switchToLatest().subscribe(subscriber)
      outer.send(inner[0])
      let isOver = race(
        {
          for index in 1..<4 { outer.send(inner[index]) }
          outer.send(completion: .finished)
          for value in 300..<350 { inner[3].send(value) }
          inner[3].send(completion: .finished)
        },
        { for value in 0..<300 { inner[value / 100].send(value) } })
      #expect(isOver)
      #expect(subscriber.values == subscriber.values.sorted())
      #expect(subscriber.values.suffix(50) == Array(300..<350))
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }
}

private struct Weak: Sendable {
  weak let object: (any AnyObject & Sendable)?
}
