import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)), .noLeaks)
struct CallbackTests {
  private let bell = Bell()

  @Test func `D8: with unlimited demand every value comes`() {
    let received = Notes<Int>()
    let sink = bell.rings.sink { received.append($0) }
    bell.ring(1, 2, 3)
    #expect(received.all == [1, 2, 3])
    sink.cancel()
  }

  @Test func `D8: of five values the two that were asked for come`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2))
    bell.rings.subscribe(subscriber)
    bell.ring(1...5)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: without demand there is no observer; what comes is lost until there is some`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    bell.rings.subscribe(subscriber)
    subscriber.request(.none)
    bell.ring(1, 2)
    #expect(bell.added == 0)
    subscriber.request(.max(2))
    #expect(bell.added == 1)
    bell.ring(3, 4, 5)
    #expect(subscriber.values == [3, 4])
    subscriber.request(.max(1))
    #expect(subscriber.values == [3, 4])
    bell.ring(6)
    #expect(subscriber.values == [3, 4, 6])
    #expect(bell.added == 1)
    subscriber.cancel()
    #expect(bell.removed == [0])
  }

  @Test func `D8: demand that receive returns counts`() {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(1), demandFor: { _, value in value == 1 ? .max(1) : .none })
    bell.rings.subscribe(subscriber)
    bell.ring(1...5)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: demand that is asked for inside receive counts`() {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(1),
      demandFor: { subscriber, value in
        if value < 3 { subscriber.request(.max(1)) }
        return .none
      })
    bell.rings.subscribe(subscriber)
    bell.ring(1...5)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: what buffer keeps is not lost`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
    bell.rings.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest).subscribe(subscriber)
    bell.ring(1...4)
    #expect(subscriber.values == [1])
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1, 2, 3, 4])
    subscriber.cancel()
  }

  @Test func `D1: what the API reports while it adds comes after receive(subscription:)`() {
    bell.whenAdding.value = { [unowned bell] in bell.ring(1, 2) }
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2))
    bell.rings.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1), .value(2)])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D3: what is reported inside receive comes after it, if it was asked for`() {
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .max(2),
      demandFor: { [bell] _, value in
        if value == 1 { bell.ring(2, 3) }
        return .max(1)
      })
    bell.rings.subscribe(subscriber)
    bell.ring(1)
    // One was left when 2 and 3 came; what receive(1) returned came too late for 3.
    #expect(subscriber.values == [1, 2])
    bell.ring(4, 5)
    #expect(subscriber.values == [1, 2, 4, 5])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `each subscriber has an observer of its own, removed once at its cancel`() {
    let subscribers = (0..<3).map { _ in TestSubscriber<Int, Never>() }
    for subscriber in subscribers { bell.rings.subscribe(subscriber) }
    #expect(bell.added == 3)
    subscribers[1].cancel()
    subscribers[1].cancel()
    #expect(bell.removed == [1])
    bell.ring(1)
    #expect(subscribers.map(\.values) == [[1], [], [1]])
    for subscriber in subscribers { subscriber.cancel() }
    #expect(bell.removed.sorted() == [0, 1, 2])
  }

  @Test func `D7: who cancels before asking has never had an observer`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    bell.rings.subscribe(subscriber)
    subscriber.cancel()
    subscriber.request(.max(1))
    #expect(bell.added == 0)
    #expect(bell.removed == [])
  }

  @Test func `D7: a cancel inside receive removes the observer once, and nothing follows`() {
    let subscriber = TestSubscriber<Int, Never>(
      demandFor: { subscriber, value in
        if value == 2 { subscriber.cancel() }
        return .none
      })
    bell.rings.subscribe(subscriber)
    bell.ring(1...5)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.violations == [])
    #expect(bell.removed == [0])
  }

  @Test func `D7: a cancel while the observer is added removes it when the token is there`() {
    let sink = Shared<Subscribers.Sink<Int, Never>?>(nil)
    let removedInside = Notes<[Int]>()
    sink.value = Subscribers.Sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    bell.whenAdding.value = { [unowned bell] in
      sink.value?.cancel()
      removedInside.append(bell.removed)
    }
    if let sink = sink.value { bell.rings.subscribe(sink) }
    #expect(removedInside.all == [[]])
    #expect(bell.removed == [0])
  }

  @Test func `D7: a cancel in a delivery from inside add removes the observer once`() {
    bell.whenAdding.value = { [unowned bell] in bell.ring(1, 2) }
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { subscriber, _ in
        subscriber.cancel()
        return .none
      })
    bell.rings.subscribe(subscriber)
    subscriber.request(.unlimited)
    #expect(subscriber.values == [1])
    #expect(subscriber.violations == [])
    #expect(bell.removed == [0])
  }

  @Test func `D9: the end comes once, behind what was asked for, and is final`() {
    let subscriber = TestSubscriber<Int, Broken>(
      demandFor: { [bell] _, value in
        if value == 1 {
          bell.ring(2)
          bell.end(.failure(Broken()))
          bell.ring(3)
          bell.end()
        }
        return .none
      })
    bell.endingRings.subscribe(subscriber)
    bell.ring(1)
    #expect(
      subscriber.events == [
        .subscription, .value(1), .value(2), .completion(.failure(Broken())),
      ])
    #expect(subscriber.violations == [])
    #expect(bell.removed == [0])
    subscriber.cancel()
    #expect(bell.removed == [0])
  }

  @Test func `D9: the end needs no demand, and may come while the observer is added`() {
    bell.whenAdding.value = { [unowned bell] in
      bell.ring(1, 2)
      bell.end()
    }
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    bell.endingRings.subscribe(subscriber)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(bell.removed == [0])
  }

  @Test func `L4: the observer is removed before the end is delivered`() {
    let atEnd = Notes<[Int]>()
    let sink = bell.endingRings.sink { [bell] _ in
      atEnd.append(bell.removed)
    } receiveValue: { _ in
    }
    bell.end()
    #expect(atEnd.all == [[0]])
    sink.cancel()
  }

  @Test(arguments: [true, false])
  func `O2: an API that keeps the handler for ever keeps nothing with it`(isCancel: Bool) {
    final class Kept: Sendable {}
    weak var inSink: Kept?
    weak var inAdd: Kept?
    do {
      let (sunk, adding) = (Kept(), Kept())
      (inSink, inAdd) = (sunk, adding)
      let published = Publishers.Callback<Int, Broken> { [bell] handler, finish in
        withExtendedLifetime(adding) {}
        return bell.keep(handler, finish)
      } remove: { _ in
        withExtendedLifetime(adding) {}
      }
      let sink = published.sink { _ in
      } receiveValue: { _ in
        withExtendedLifetime(sunk) {}
      }
      if isCancel { sink.cancel() } else { bell.end() }
    }
    #expect(inSink == nil)
    #expect(inAdd == nil)
    bell.ring(1)
  }

  @Test func `D15: a hundred thousand values at demand one leave the stack flat`() {
    let count = Shared(0)
    let isFlat = onSmallStack { [bell] in
      let subscriber = OneByOne(.asking) { _ in count.increment() }
      bell.rings.subscribe(subscriber)
      bell.ring(1...100_000)
      #expect(subscriber.depth == 1)
      subscriber.cancel()
    }
    #expect(isFlat)
    #expect(count.value == 100_000)
  }

  @Test func `its subscription has the name of the publisher`() {
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    bell.rings.subscribe(subscriber)
    #expect(subscriber.subscription.map { "\($0)" } == "Callback")
    subscriber.cancel()
  }
}
