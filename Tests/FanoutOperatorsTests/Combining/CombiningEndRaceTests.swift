import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Ends of combined and switched publishers that meet values, triggers and cancels on several threads.
@Suite(.noLeaks) struct CombiningEndRaceTests {
  private typealias Subject = PassthroughSubject<Int, Broken>

  private let failure = Subscribers.Completion<Broken>.failure(Broken())

  @Test func `Q1 D9: zip ends with the shorter one, or with a failure that came before`() {
    for _ in 0..<rounds(200) {
      let (a, b) = (Subject(), Subject())
      let subscriber = TestSubscriber<[Int], Broken>()
      a.zip(b) { [$0, $1] }.subscribe(subscriber)
      let isOver = race(
        {
          for value in 1...10 { a.send(value) }
          a.send(completion: .finished)
        },
        {
          for value in 1...10 { b.send(value) }
          b.send(completion: failure)
        })
      #expect(isOver)
      let count = subscriber.values.count
      #expect(subscriber.values == (0..<count).map { [$0 + 1, $0 + 1] })
      #expect(subscriber.completion == failure || count == 10)
      #expect(subscriber.completion != nil)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D4 D9: combineLatest of four, driven by four threads`() {
    for _ in 0..<50 {
      let sources = (0..<4).map { _ in Subject() }
      let subscriber = TestSubscriber<[Int], Broken>()
      sources[0].combineLatest(sources[1], sources[2], sources[3]) { [$0, $1, $2, $3] }
        .subscribe(subscriber)
      let threads = sources.map { source in
        { @Sendable in
          for value in 1...50 { source.send(value) }
          source.send(completion: .finished)
        }
      }
      #expect(race(threads[0], threads[1], threads[2], threads[3]))
      #expect(subscriber.values.last == [50, 50, 50, 50])
      let sums = subscriber.values.map { $0.reduce(0, +) }
      #expect(zip(sums, sums.dropFirst()).allSatisfy { $0 + 1 == $1 })
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `Q1: drop(untilOutputFrom:) ignores the failure behind a trigger on another thread`() {
    for _ in 0..<rounds(200) {
      let (a, start) = (Subject(), Subject())
      let subscriber = TestSubscriber<Int, Broken>()
      a.drop(untilOutputFrom: start).subscribe(subscriber)
      let isOver = race(
        { for value in 1...20 { a.send(value) } },
        {
          start.send(0)
          start.send(completion: failure)
        })
      #expect(isOver)
      a.send(21)
      a.send(completion: .finished)
      let count = subscriber.values.count
      #expect(subscriber.values == Array((1...21).suffix(count)))
      #expect(count > 0)
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test
  func `Q1: switchToLatest fails with the old one before the new one's values, or not at all`() {
    for _ in 0..<rounds(300) {
      let (outer, old, new) = (PassthroughSubject<Subject, Broken>(), Subject(), Subject())
      let subscriber = TestSubscriber<Int, Broken>()
      outer.switchToLatest().subscribe(subscriber)
      outer.send(old)
      let isOver = race(
        { old.send(completion: failure) },
        {
          outer.send(new)
          new.send(1)
        })
      #expect(isOver)
      new.send(completion: .finished)
      outer.send(completion: .finished)
      let hasFailed = subscriber.completion == failure
      #expect(subscriber.values == (hasFailed ? [] : [1]))
      #expect(subscriber.completion != nil)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D15 D3: a hundred thousand sends inside receive do not grow the stack`() {
    let (a, b) = (PassthroughSubject<Int, Never>(), CurrentValueSubject<Int, Never>(0))
    let latest = TestSubscriber<Int, Never> { _, value in
      if value < 100_000 { a.send(value + 1) }
      return .none
    }
    a.combineLatest(b, +).subscribe(latest)
    #expect(finishes(stackSize: 512 * 1024) { a.send(1) })
    #expect(latest.values == Array(1...100_000))
    latest.cancel()
    let outer = PassthroughSubject<Just<Int>, Never>()
    let switched = TestSubscriber<Int, Never> { _, value in
      if value < 100_000 { outer.send(Just(value + 1)) }
      return .none
    }
    outer.switchToLatest().subscribe(switched)
    #expect(finishes(stackSize: 512 * 1024) { outer.send(Just(1)) })
    #expect(switched.values == Array(1...100_000))
    switched.cancel()
  }
}
