import Dispatch
import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An operator from outside the package that passes its upstream's subscription on unchanged, but
/// delivers later, on a queue.
private struct Later<Upstream: Publisher>: Publisher where Upstream.Output: Sendable {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let queue: DispatchQueue

  // Invariant of `@unchecked Sendable`: `downstream` is called on the serial queue only.
  private final class Inner: Subscriber, @unchecked Sendable {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    private let downstream: AnySubscriber<Input, Failure>
    private let queue: DispatchQueue

    init(_ downstream: AnySubscriber<Input, Failure>, _ queue: DispatchQueue) {
      self.downstream = downstream
      self.queue = queue
    }

    func receive(subscription: any Subscription) {
      downstream.receive(subscription: subscription)
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      let work = DispatchWorkItem { _ = self.downstream.receive(input) }
      queue.async(execute: work)
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let work = DispatchWorkItem { self.downstream.receive(completion: completion) }
      queue.async(execute: work)
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(AnySubscriber(subscriber), queue))
  }
}

struct MemorySafetyRaceTests {
  /// Returns a closure that uses an object, which must be alive as long as the closure runs.
  private static func useOfToken(_ uses: Shared<Int>) -> @Sendable (Int) -> Void {
    let token = Token(1)
    return { _ in uses.change { $0 += token.id } }
  }

  @Test(arguments: SubjectKind.allCases, OperatorSample.all)
  func `D7: sinks below operators are cancelled while threads send, and are used by no one after`(
    kind: SubjectKind, sample: OperatorSample
  ) {
    for _ in 0..<rounds(30) {
      let subject = kind.make()
      let uses = Shared(0)
      let sinks = (0..<4).map { _ in
        sample.apply(to: subject.eraseToAnyPublisher(), retaining: Token()).sink(
          receiveCompletion: { _ in }, receiveValue: Self.useOfToken(uses))
      }
      let isOver = race(
        { (1...30).forEach(subject.send) },
        { sinks.forEach { $0.cancel() } },
        {
          sinks[3].cancel()
          sinks[1].cancel()
          subject.send(completion: .finished)
        })
      #expect(isOver)
    }
  }

  @Test func `D7: likewise of a sequence that threads ask`() {
    for _ in 0..<rounds(50) {
      let tracker = LifetimeTracker()
      let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
      let token = Shared<Token?>(tracker.track(Token()))
      (1...500).publisher.unspecialized.filter { [token = token.value] _ in
        withExtendedLifetime(token) { true }
      }.prefix(400).map { $0 }.subscribe(subscriber)
      token.value = nil
      let isOver = race(
        { for _ in 0..<50 { subscriber.request(.max(3)) } },
        { for _ in 0..<50 { subscriber.request(.max(3)) } },
        { subscriber.cancel() }, { subscriber.cancel() })
      #expect(isOver)
      #expect(tracker.survivors() == [])
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: a cancel is safe below an operator that delivers later on another thread`(
    kind: SubjectKind
  ) {
    let queue = DispatchQueue(label: "later")
    for round in 0..<rounds(50) {
      let subject = kind.make()
      let uses = Shared(0)
      let tracker = LifetimeTracker()
      let token = Shared<Token?>(tracker.track(Token(1)))
      let upstream = subject.eraseToAnyPublisher().filter { _ in true }
      let later = Later(upstream: upstream, queue: queue)
      let receive: @Sendable (Int) -> Void = { [token = token.value] _ in
        uses.change { $0 += token?.id ?? 0 }
      }
      token.value = nil
      let sink =
        round.isMultiple(of: 2)
        ? later.sink(receiveCompletion: { _ in }, receiveValue: receive)
        : later.map { $0 }.filter { _ in true }.sink(
          receiveCompletion: { _ in }, receiveValue: receive)
      let isOver = race(
        { (1...40).forEach(subject.send) }, { sink.cancel() }, { sink.cancel() })
      #expect(isOver)
      queue.sync {}
      let before = uses.value
      subject.send(41)
      queue.sync {}
      #expect(uses.value == before)
      subject.send(completion: .finished)
      queue.sync {}
      withExtendedLifetime(sink) {}
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `O2: cancel, terminal, values and asking at once: everything is released once`(
    kind: SubjectKind
  ) {
    for _ in 0..<rounds(50) {
      let gone = Shared(0)
      do {
        let subject = kind.make()
        var subscribers: [TestSubscriber<Int, Broken>] = []
        for _ in 0..<3 {
          let token = Token { gone.increment() }
          subscribers.append(
            TestSubscriber(initialDemand: .max(1)) { _, _ in .max(token.id + 1) })
          subject.subscribe(subscribers[subscribers.count - 1])
        }
        let shared = subscribers
        let isOver = race(
          { (1...10).forEach(subject.send) },
          { shared.forEach { $0.cancel() } },
          { shared.forEach { $0.request(.max(2)) } },
          { subject.send(completion: .finished) })
        #expect(isOver)
        #expect(shared.allSatisfy { $0.violations == [] })
      }
      #expect(gone.value == 3)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `O2: subjects that die while others let go of them`(kind: SubjectKind) {
    for _ in 0..<rounds(50) {
      let tracker = LifetimeTracker()
      let upstream = TestPublisher<Int, Broken>()
      let subject = Shared<IntSubject?>(kind.make())
      subject.value.map { _ = tracker.track($0, "subject") }
      let feed = subject.value.map { upstream.subscribe($0) }
      let sink = subject.value?.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      let isOver = race(
        { subject.value = nil }, { feed?.cancel() }, { sink?.cancel() },
        { (1...5).forEach(upstream.send) })
      #expect(isOver)
      upstream.forgetSubscriptions()
      #expect(tracker.survivors() == [])
      #expect(upstream.cancelCount == 0)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D7: a cancel is safe while somebody calls a sink past its publisher`(kind: SubjectKind) {
    for _ in 0..<rounds(50) {
      let subject = kind.make()
      let tracker = LifetimeTracker()
      let token = Shared<Token?>(tracker.track(Token(1)))
      let sink = Subscribers.Sink<Int, Broken>(
        receiveCompletion: { _ in },
        receiveValue: { [token = token.value] _ in withExtendedLifetime(token) {} })
      token.value = nil
      subject.subscribe(sink)
      let isOver = race(
        { (1...30).forEach { _ = sink.receive($0) } },
        { (1...30).forEach(subject.send) },
        { sink.cancel() })
      #expect(isOver)
      #expect(tracker.survivors() == [])
      withExtendedLifetime(sink) {}
    }
  }
}
