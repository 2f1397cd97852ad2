import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

struct BreakpointTests {
  @Test func `it passes everything on, and asks its closures first`() {
    let notes = Notes<String>()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: .max(2),
      demandFor: { _, value in
        notes.append("value \(value)")
        return .none
      }, whenCompleted: { _ in notes.append("completed") })
    upstream.breakpoint(
      receiveSubscription: { subscription in
        notes.append("subscription \(subscription)")
        return false
      },
      receiveOutput: { value in
        notes.append("output \(value)")
        return false
      },
      receiveCompletion: { completion in
        notes.append("\(completion)")
        return false
      }
    ).subscribe(subscriber)
    #expect(upstream.requests == [.max(2)])
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(
      notes.all == [
        "subscription TestSubscription", "output 1", "value 1", "finished", "completed",
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `without closures, and with a finish, nothing stops`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...3).publisher.breakpoint().breakpointOnError().subscribe(subscriber)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a closure that cancels keeps its event from the subscriber`() {
    let subject = PassthroughSubject<Int, Broken>()
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<Int>()
    let watched = subject.breakpoint(receiveOutput: { value in
      if value == 2 { held.value?.cancel() }
      return false
    })
    held.value = watched.sink(
      receiveCompletion: { _ in received.append(0) }, receiveValue: { received.append($0) })
    (1...3).forEach(subject.send)
    subject.send(completion: .finished)
    #expect(received.all == [1])
    held.value = nil
  }

  @Test(arguments: Ending.allCases)
  func `O2: it lets go of its closures and its subscriber at the end`(ending: Ending) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    let subscription: (any Subscription)?
    do {
      let token = tracker.track(Token(), "closure")
      let subscriber = tracker.track(TestSubscriber<Int, Broken>(), "subscriber")
      upstream.breakpoint(receiveOutput: { _ in withExtendedLifetime(token) { false } })
        .subscribe(subscriber)
      subscription = subscriber.subscription
    }
    #expect(Set(tracker.survivors().map(\.name)) == ["closure", "subscriber"])
    if let terminal = ending.terminal {
      upstream.send(completion: terminal)
    } else {
      subscription?.cancel()
    }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscription) {}
  }

  @Test func `it raises SIGTRAP where a closure returns true`() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      (1...3).publisher.breakpoint(receiveOutput: { $0 == 2 }).sink { _ in }.cancel()
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Just(1).breakpoint(receiveSubscription: { _ in true }).sink { _ in }.cancel()
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Just(1).breakpoint(receiveCompletion: { $0 == .finished }).sink { _ in }.cancel()
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      Fail<Int, Broken>(error: Broken()).breakpointOnError().sink(
        receiveCompletion: { _ in }, receiveValue: { _ in }
      ).cancel()
    }
  }
}
