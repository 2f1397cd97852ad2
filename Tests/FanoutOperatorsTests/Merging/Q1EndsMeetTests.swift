import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A publisher that sends each subscriber an end, and never a subscription.
private struct EndsUnannounced: Publisher, Sendable {
  typealias Output = Int
  typealias Failure = NumberedError

  let end: Subscribers.Completion<NumberedError>

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == NumberedError {
    subscriber.receive(completion: end)
  }
}

@Suite(.noLeaks, .timeLimit(.minutes(30))) struct Q1EndsMeetTests {
  private typealias Source = TestPublisher<Int, NumberedError>
  private typealias Target = TestSubscriber<Int, NumberedError>

  /// The action inside a cancel, for the publishers that run it.
  private let whenCancelled = Shared<@Sendable () -> Void>({})

  private func sourceWithSlowCancel(ignoresCancel: Bool = false) -> Source {
    Source(
      ignoresCancel: ignoresCancel, whenCancelled: { [whenCancelled] _ in whenCancelled.value() })
  }

  @Test func `Q1: merge fails, though the last one finishes while the others are cancelled`() {
    let (failing, slow, subscriber) = (Source(), sourceWithSlowCancel(), Target())
    let (isCancelling, mayGoOn) = (Gate(), Gate())
    whenCancelled.value = {
      isCancelling.open()
      mayGoOn.wait()
    }
    let failure = Shared<TestThread?>(nil)
    // Subscribed to as the last one, it finishes when the first one's failure has begun to cancel.
    let last = Deferred { () -> Empty<Int, NumberedError> in
      failure.value = TestThread { failing.send(completion: .failure(NumberedError(1))) }
      isCancelling.wait()
      return Empty()
    }
    let all = [
      failing.eraseToAnyPublisher(), slow.eraseToAnyPublisher(), last.eraseToAnyPublisher(),
    ]
    Publishers.MergeMany(all).subscribe(subscriber)
    mayGoOn.open()
    #expect(failure.value?.join() == true)
    #expect(subscriber.events == [.subscription, .completion(.failure(NumberedError(1)))])
    #expect(slow.cancelCount == 1)
    failure.value = nil
  }

  @Test func `Q1: flatMap fails, though the upstream finishes while the others are cancelled`() {
    let (upstream, subscriber) = (TestPublisher<Int, NumberedError>(), Target())
    let inner = [Source(), sourceWithSlowCancel()]
    let (isFinishing, mayFinish) = (Gate(), Gate())
    let (isCancelling, mayGoOn) = (Gate(), Gate())
    whenCancelled.value = {
      isCancelling.open()
      mayGoOn.wait()
    }
    do {
      let token = Token {
        isFinishing.open()
        mayFinish.wait()
      }
      upstream.flatMap { number in
        withExtendedLifetime(token) {}
        return inner[number]
      }.subscribe(subscriber)
    }
    upstream.send(0)
    upstream.send(1)
    let finish = TestThread { upstream.send(completion: .finished) }
    #expect(isFinishing.wait())
    let failure = TestThread { inner[0].send(completion: .failure(NumberedError(1))) }
    #expect(isCancelling.wait())
    mayFinish.open()
    #expect(finish.join())
    mayGoOn.open()
    #expect(failure.join())
    #expect(subscriber.events == [.subscription, .completion(.failure(NumberedError(1)))])
  }

  @Test func `Q1: of two failures the first counts, also if its cancel causes the second`() {
    let (first, second, subscriber) = (Source(), Source(), Target())
    whenCancelled.value = { second.send(completion: .failure(NumberedError(2))) }
    Publishers.MergeMany(first, sourceWithSlowCancel(), second).subscribe(subscriber)
    first.send(completion: .failure(NumberedError(1)))
    #expect(subscriber.events == [.subscription, .completion(.failure(NumberedError(1)))])
    whenCancelled.value = {}
  }

  @Test func `Q1: likewise in flatMap, where the upstream's cancel causes the second`() {
    let inner = [Source(), Source()]
    let (upstream, subscriber) = (sourceWithSlowCancel(), Target())
    whenCancelled.value = { inner[1].send(completion: .failure(NumberedError(2))) }
    upstream.flatMap { inner[$0] }.subscribe(subscriber)
    upstream.send(0)
    upstream.send(1)
    inner[0].send(completion: .failure(NumberedError(1)))
    #expect(subscriber.events == [.subscription, .completion(.failure(NumberedError(1)))])
    whenCancelled.value = {}
  }

  @Test func `Q1: likewise in flatMap, where letting go of the closure causes the second`() {
    let (upstream, inner, subscriber) = (Source(), Source(), Target())
    do {
      let token = Token { inner.send(completion: .failure(NumberedError(2))) }
      upstream.flatMap { _ in
        withExtendedLifetime(token) {}
        return inner
      }.subscribe(subscriber)
    }
    upstream.send(0)
    upstream.send(completion: .failure(NumberedError(1)))
    #expect(subscriber.events == [.subscription, .completion(.failure(NumberedError(1)))])
    #expect(inner.cancelCount == 1)
  }

  @Test(arguments: [Subscribers.Completion<NumberedError>.finished, .failure(NumberedError(2))])
  private func `Q1: what a publisher sends inside its cancel is ignored`(
    end: Subscribers.Completion<NumberedError>
  ) {
    let (first, subscriber) = (Source(), Target(initialDemand: .none))
    let talkative = Source(
      ignoresCancel: true,
      whenCancelled: { subscription in
        subscription.send(7)
        subscription.send(completion: end)
      })
    first.merge(with: talkative).subscribe(subscriber)
    first.send(1)
    first.send(completion: .failure(NumberedError(1)))
    #expect(subscriber.events == [.subscription])
    subscriber.request(.unlimited)
    #expect(
      subscriber.events == [.subscription, .value(1), .completion(.failure(NumberedError(1)))])
    #expect(subscriber.violations == [])
  }

  @Test func `Q1: an end that comes before the subscription counts`() {
    let finished = EndsUnannounced(end: .finished)
    let failed = EndsUnannounced(end: .failure(NumberedError(1)))
    let other = Source()
    let subscribers = (0..<4).map { _ in Target() }
    finished.merge(with: finished).subscribe(subscribers[0])
    Just(1).setFailureType(to: NumberedError.self).flatMap { _ in finished }.subscribe(
      subscribers[1])
    other.merge(with: failed).subscribe(subscribers[2])
    Just(1).setFailureType(to: NumberedError.self).flatMap { _ in failed }.subscribe(subscribers[3])
    for (number, subscriber) in subscribers.enumerated() {
      #expect(
        subscriber.completion == (number < 2 ? .finished : .failure(NumberedError(1))))
    }
    #expect(other.cancelCount == 1)
  }

  @Test func `Q1: a publisher that comes after the end is not subscribed to`() {
    // An upstream from outside the package that sends within its end.
    let (upstream, late, subscriber) = (Source(), Source(), Target())
    do {
      let token = Token { upstream.send(1) }
      upstream.flatMap { _ in
        withExtendedLifetime(token) {}
        return late
      }.subscribe(subscriber)
    }
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .completion(.finished)])
    #expect(late.subscriptionCount == 0)
  }

  @Test func `Q2: what a publisher sends inside the cancel of an overflow is ignored`() {
    let subscriber = Target(initialDemand: .none)
    let upstream = Source(
      ignoresCancel: true,
      whenCancelled: { subscription in
        // Makes room, so that nothing but the failure keeps the next value out.
        subscriber.request(.max(1))
        subscription.send(3)
      })
    upstream.buffer(
      size: 1, prefetch: .byRequest, whenFull: .customError { NumberedError(1) }
    ).subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    #expect(
      subscriber.events == [.subscription, .value(1), .completion(.failure(NumberedError(1)))])
  }

  @Test func `Q1: buffer's own failure counts, though its cancel ends the upstream otherwise`() {
    let subscriber = Target(initialDemand: .none)
    let upstream = Source(
      ignoresCancel: true, whenCancelled: { $0.send(completion: .finished) })
    upstream.buffer(
      size: 1, prefetch: .byRequest, whenFull: .customError { NumberedError(1) }
    ).subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    subscriber.request(.max(1))
    #expect(
      subscriber.events == [.subscription, .value(1), .completion(.failure(NumberedError(1)))])
  }
}
