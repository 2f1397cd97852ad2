import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

private enum Staying: CaseIterable {
  case grace, released
}

/// What the end of a request means for the callers of its key.
struct L10EndTests {
  private let clock = TestScheduler()

  /// Requests by key that the test answers, and their number.
  private final class Server: Sendable {
    let answers = TestPublisher<Int, Broken>()
    let requests = Shared(0)
  }

  private let server = Server()

  private func makeRequests(
    disconnect: Disconnect = .whenIdle, restart: Restart = []
  ) -> SharedByKey<String, TestPublisher<Int, Broken>> {
    SharedByKey(disconnect: disconnect, restart: restart) { [server] _ in
      _ = server.requests.increment()
      return server.answers
    }
  }

  private func caller(_ publisher: some Publisher<Int, Broken>) -> TestSubscriber<Int, Broken> {
    let caller = TestSubscriber<Int, Broken>()
    publisher.subscribe(caller)
    return caller
  }

  // MARK: Between the answer and its end

  @Test func `L10: a caller inside the receive of another gets the same answer`() {
    let requests = SharedByKey { (number: Int) in Just(number) }
    let late = TestSubscriber<Int, Never>()
    let sink = requests[7].sink { _ in requests[7].subscribe(late) }
    #expect(late.events == [.subscription, .value(7), .completion(.finished)])
    #expect(requests.keys == [])
    sink.cancel()
  }

  @Test func `L10: a caller on another thread, between the answer and its end, gets both`() {
    let requests = makeRequests()
    let held = HeldSubscriber(at: 1)
    requests["a"].subscribe(held.subscriber)
    let (late, hasAnswered) = (TestSubscriber<Int, Broken>(), Gate())
    startThread { [server] in
      server.answers.send(1)
      hasAnswered.open()
    }
    #expect(held.stands())
    // The first caller has the answer in its hands, and the request has not ended.
    requests["a"].subscribe(late)
    held.letGo()
    #expect(hasAnswered.wait())
    let later = caller(requests["a"])
    server.answers.send(completion: .finished)
    for caller in [held.subscriber, late, later] {
      #expect(caller.values == [1] && caller.completion == .finished)
    }
    #expect(server.requests.value == 1 && requests.keys == [])
  }

  @Test func `L10: a caller that wants one value gets it, also when others have it already`() {
    let requests = makeRequests()
    let first = caller(requests["a"])
    server.answers.send(1)
    let late = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    requests["a"].subscribe(late)
    server.answers.send(completion: .finished)
    #expect(first.values == [1] && late.values == [1] && late.completion == .finished)
  }

  @Test func `L10, O6: nothing of an answer is kept behind its end`() {
    let source = PassthroughSubject<Token, Never>()
    let answers = SharedByKey { (_: Int) in source }
    let sink = answers[1].sink { _ in }
    let answer = sendToken(to: source)
    source.send(completion: .finished)
    #expect(!answer.isAlive && answers.keys == [])
    withExtendedLifetime(sink) {}
  }

  private func sendToken(to source: PassthroughSubject<Token, Never>) -> WeakReference {
    let token = Token()
    source.send(token)
    return WeakReference(token)
  }

  // MARK: An end without a caller

  private func disconnect(_ staying: Staying) -> Disconnect {
    switch staying {
    case .grace: .whenIdle(for: .seconds(5), scheduler: clock)
    case .released: .whenReleased
    }
  }

  @Test(arguments: Staying.allCases)
  fileprivate func `L10: a key whose request ends without a caller goes at once`(staying: Staying) {
    let requests = makeRequests(disconnect: disconnect(staying))
    for end: Subscribers.Completion<Broken> in [.failure(Broken()), .finished] {
      caller(requests["a"]).cancel()
      #expect(requests.keys == ["a"])
      server.answers.send(1)
      server.answers.send(completion: end)
      #expect(requests.keys == [])
    }
    let next = caller(requests["a"])
    #expect(next.events == [.subscription] && server.requests.value == 3)
    server.answers.send(2)
    #expect(next.values == [2])
    next.cancel()
  }

  @Test func `L10, L8: also where a failure starts the work again`() {
    let requests = makeRequests(disconnect: disconnect(.grace), restart: .afterFailure)
    for _ in 1...3 {
      caller(requests["a"]).cancel()
      server.answers.send(1)
      server.answers.send(completion: .failure(Broken()))
      #expect(requests.keys == [])
    }
    let next = caller(requests["a"])
    #expect(next.events == [.subscription] && server.requests.value == 4)
    next.cancel()
    clock.advance(by: .seconds(5))
    #expect(requests.keys == [])
  }

  @Test func `L10: an end with a caller lets the key go when that has got it`() {
    let requests = makeRequests(disconnect: disconnect(.grace))
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    requests["a"].subscribe(slow)
    server.answers.send(1)
    server.answers.send(completion: .finished)
    #expect(requests.keys == ["a"] && caller(requests["a"]).values == [1])
    slow.request(.unlimited)
    #expect(slow.completion == .finished && requests.keys == [])
  }

  @Test func `L3, L6: of a share without keys the end stays, also one in the grace period`() {
    let share = server.answers.share(replay: .latest, disconnect: disconnect(.grace))
    caller(share).cancel()
    server.answers.send(1)
    server.answers.send(completion: .failure(Broken()))
    let late = caller(share)
    #expect(late.values == [1] && late.completion == .failure(Broken()))
    clock.advance(by: .seconds(9))
    let later = caller(share)
    #expect(later.values == [1] && server.answers.subscriptionCount == 1)
  }

  @Test func `L10: ends without a caller beside callers that come, on two threads`() {
    for _ in 0..<rounds(200) {
      let requests = makeRequests(disconnect: disconnect(.released))
      caller(requests["a"]).cancel()
      let (late, done) = (TestSubscriber<Int, Broken>(), Gate())
      startThread { [server] in
        server.answers.send(completion: .finished)
        done.open()
      }
      requests["a"].subscribe(late)
      #expect(done.wait())
      // The old request has ended for it, or a new one has begun.
      let isOld = late.completion == .finished
      #expect(requests.keys == (isOld ? [] : ["a"]))
      late.cancel()
    }
  }
}

private final class Token: Sendable {}
