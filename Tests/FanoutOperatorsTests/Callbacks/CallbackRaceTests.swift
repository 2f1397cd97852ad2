import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The API, those who ask and those who cancel, each on threads of their own.
@Suite(.timeLimit(.minutes(30)))
struct CallbackRaceTests {
  private let bell = Bell()

  @Test func `D8: a thousand threads ask for one value each, with one observer for them all`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    bell.rings.subscribe(subscriber)
    let hasEnded = race((0..<1000).map { _ in { @Sendable in subscriber.request(.max(1)) } })
    #expect(hasEnded)
    #expect(bell.added == 1)
    bell.ring(1...1005)
    #expect(subscriber.values == Array(1...1000))
    #expect(subscriber.violations == [])
    subscriber.cancel()
    #expect(bell.removed == [0])
  }

  @Test func `D8: delivery races request, and no more comes than was asked for`() {
    for _ in 0..<50 {
      let bell = Bell()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
      bell.rings.subscribe(subscriber)
      let hasEnded = race(
        { for _ in 0..<20 { subscriber.request(.max(1)) } },
        { bell.ring(1...40) })
      #expect(hasEnded)
      bell.ring(41...80)
      // Lost values had not been requested yet; requested values have come by now.
      #expect(subscriber.values.count == 21)
      #expect(subscriber.values == subscriber.values.sorted())
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D1, D4: values of four threads come one after another, and none is lost`() {
    let subscriber = TestSubscriber<Int, Never>()
    bell.rings.subscribe(subscriber)
    let hasEnded = race(
      (0..<4).map { thread in
        { @Sendable [bell] in bell.ring((0..<500).map { thread * 1000 + $0 }) }
      })
    #expect(hasEnded)
    let values = subscriber.values
    #expect(values.count == 2000)
    for thread in 0..<4 {
      let own = values.filter { $0 / 1000 == thread }
      #expect(own == own.sorted())
    }
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D7: a cancel races delivery, and the observer is removed once`() {
    for _ in 0..<rounds(100) {
      let bell = Bell()
      let subscriber = TestSubscriber<Int, Never>()
      bell.rings.subscribe(subscriber)
      let hasEnded = race(
        { bell.ring(1...50) }, { subscriber.cancel() }, { subscriber.cancel() })
      #expect(hasEnded)
      #expect(subscriber.violations == [])
      #expect(bell.removed == [0])
    }
  }

  @Test func `D7: a cancel races the first request, and no observer stays`() {
    for _ in 0..<rounds(200) {
      let bell = Bell()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      bell.rings.subscribe(subscriber)
      bell.whenAdding.value = { [unowned bell] in bell.ring(1) }
      let hasEnded = race(
        { subscriber.request(.max(1)) }, { subscriber.request(.unlimited) },
        { subscriber.cancel() })
      #expect(hasEnded)
      #expect(bell.added == bell.removed.count)
      #expect(bell.added <= 1)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D9: ends race values and a cancel, and one of them is the last word`() {
    for round in 0..<rounds(100) {
      let bell = Bell()
      let subscriber = TestSubscriber<Int, Broken>()
      bell.endingRings.subscribe(subscriber)
      let hasEnded = race(
        { bell.ring(1...30) }, { bell.end() }, { bell.end(.failure(Broken())) },
        { if round.isMultiple(of: 2) { subscriber.cancel() } })
      #expect(hasEnded)
      #expect(subscriber.violations == [])
      #expect(bell.removed == [0])
      if !round.isMultiple(of: 2) { #expect(subscriber.completion != nil) }
    }
  }
}
