import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct HandleEventsTests {
  private let notes = Notes<String>()

  /// Returns a publisher that notes every event.
  private func noting<P: Publisher>(_ upstream: P) -> Publishers.HandleEvents<P> {
    let notes = notes
    return upstream.handleEvents(
      receiveSubscription: { notes.append("subscription \($0)") },
      receiveOutput: { notes.append("output \($0)") },
      receiveCompletion: { notes.append("completion \($0)") },
      receiveCancel: { notes.append("cancel") },
      receiveRequest: { notes.append("request \($0)") })
  }

  private func subscriber(
    _ demand: Subscribers.Demand = .max(1)
  ) -> TestSubscriber<Int, Broken> {
    let notes = notes
    return TestSubscriber<Int, Broken>(
      initialDemand: demand,
      demandFor: { _, value in
        notes.append("value \(value)")
        return value == 1 ? .max(2) : .none
      }, whenSubscribed: { _ in notes.append("subscribed") },
      whenCompleted: { _ in notes.append("completed") })
  }

  @Test func `tells of everything in Combine's order`() {
    let notes = notes
    let upstream = TestPublisher<Int, Broken>(
      whenAsked: { notes.append("asked \($1)") }, whenCancelled: { _ in notes.append("left") })
    let subscriber = subscriber()
    noting(upstream).subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    subscriber.request(.max(3))
    upstream.send(completion: .finished)
    #expect(
      notes.all == [
        "subscription TestSubscription", "request max(1)", "asked max(1)", "subscribed",
        "output 1", "value 1", "request max(2)", "output 2", "value 2",
        "request max(3)", "asked max(3)", "completion finished", "completed",
      ])
    #expect(subscriber.violations == [])
  }

  @Test func `D7: tells of a cancel once, before the upstream is, and of nothing afterwards`() {
    let notes = notes
    let upstream = TestPublisher<Int, Broken>(
      ignoresCancel: true, whenCancelled: { _ in notes.append("left") })
    let subscriber = subscriber(.none)
    noting(upstream).subscribe(subscriber)
    subscriber.cancel()
    subscriber.cancel()
    upstream.send(1)
    subscriber.request(.max(1))
    upstream.send(completion: .finished)
    #expect(
      notes.all == ["subscription TestSubscription", "subscribed", "cancel", "left"])
    #expect(subscriber.violations == [])
  }

  @Test func `tells of no cancel after the completion`() {
    let subscriber = subscriber(.none)
    noting(Empty<Int, Broken>()).subscribe(subscriber)
    subscriber.cancel()
    subscriber.request(.max(1))
    #expect(
      notes.all == ["subscription Empty", "subscribed", "completion finished", "completed"])
  }

  @Test func `tells of a sink's request too, also one that a subject adopts`() {
    let subject = PassthroughSubject<Int, Broken>()
    let sink = noting(subject).map { $0 }.sink(
      receiveCompletion: { _ in }, receiveValue: { _ in })
    subject.send(1)
    sink.cancel()
    #expect(
      notes.all == [
        "subscription PassthroughSubject", "request unlimited", "output 1", "cancel",
      ])
  }

  enum Place: String, CaseIterable {
    case subscription, output, completion, cancel, request
  }

  @Test(arguments: Place.allCases, SubjectKind.allCases)
  func `D7: what a closure is told of goes no further if it cancels`(
    place: Place, kind: SubjectKind
  ) {
    let subject = kind.make()
    let held = Shared<TestSubscriber<Int, Broken>?>(nil)
    let upstream = Shared<(any Subscription)?>(nil)
    let calls = Shared(0)
    let cancel: @Sendable (Place) -> Void = { here in
      guard here == place else { return }
      calls.increment()
      held.value?.cancel()
      upstream.value?.cancel()
    }
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    held.value = subscriber
    subject.eraseToAnyPublisher().handleEvents(
      receiveSubscription: { subscription in
        if place == .subscription { upstream.value = subscription }
        cancel(.subscription)
      }, receiveOutput: { _ in cancel(.output) }, receiveCompletion: { _ in cancel(.completion) },
      receiveCancel: { cancel(.cancel) }, receiveRequest: { _ in cancel(.request) }
    ).subscribe(subscriber)
    if place == .cancel { subscriber.cancel() }
    subscriber.request(.max(1))
    subject.send(1)
    subject.send(completion: .finished)
    #expect(calls.value == 1)
    #expect(subscriber.values == (place == .completion ? [kind.replay.first ?? 1] : []))
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
    // The upstream's subscription was cancelled directly, so this one has not been notified.
    subscriber.cancel()
    held.value = nil
    upstream.value = nil
  }

  @Test func `D7: what a closure sends when it is told of a cancel goes no further`() {
    let subject = PassthroughSubject<Int, Broken>()
    let subscriber = subscriber(.unlimited)
    let outputs = Shared(0)
    subject.handleEvents(
      receiveOutput: { _ in outputs.increment() }, receiveCancel: { subject.send(1) }
    ).subscribe(subscriber)
    subscriber.cancel()
    #expect(subscriber.values == [])
    #expect(outputs.value == 0)
  }

  @Test(arguments: Ending.allCases)
  func `O2: all closures are let go of at the end`(ending: Ending) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = subscriber()
    func token(_ name: String) -> Token { tracker.track(Token(), name) }
    upstream.handleEvents(
      receiveSubscription: { [token = token("subscription")] _ in withExtendedLifetime(token) {} },
      receiveOutput: { [token = token("output")] _ in withExtendedLifetime(token) {} },
      receiveCompletion: { [token = token("completion")] _ in withExtendedLifetime(token) {} },
      receiveCancel: { [token = token("cancel")] in withExtendedLifetime(token) {} },
      receiveRequest: { [token = token("request")] _ in withExtendedLifetime(token) {} }
    ).subscribe(subscriber)
    #expect(tracker.survivors().count == 5)
    if let terminal = ending.terminal {
      upstream.send(completion: terminal)
    } else {
      subscriber.cancel()
    }
    #expect(tracker.survivors() == [])
    withExtendedLifetime(subscriber) {}
  }
}
