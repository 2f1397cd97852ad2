import FanoutCore
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A sink whose closures retain a token.
private func makeSink(
  _ tracker: LifetimeTracker, _ received: Notes<String> = Notes()
) -> Subscribers.Sink<Int, Broken> {
  let token = tracker.track(Token(), "closures")
  return Subscribers.Sink(
    receiveCompletion: { [token] in
      received.append("\($0)")
      withExtendedLifetime(token) {}
    }, receiveValue: { received.append("\($0)") })
}

struct SinkTests {
  @Test func `receives values and the completion`() {
    let subject = PassthroughSubject<Int, Broken>()
    let received = Notes<String>()
    let sink = subject.sink(
      receiveCompletion: { received.append("\($0)") }, receiveValue: { received.append("\($0)") })
    subject.send(1)
    subject.send(completion: .failure(Broken()))
    subject.send(2)
    #expect(received.all == ["1", "failure(TestFixtures.Broken())"])
    sink.cancel()
  }

  @Test func `takes one subscription, asks it for everything, and cancels every other`() {
    let first = TestPublisher<Int, Broken>()
    let second = TestPublisher<Int, Broken>()
    let received = Notes<String>()
    let sink = makeSink(LifetimeTracker(), received)
    first.subscribe(sink)
    second.subscribe(sink)
    #expect(first.requests == [.unlimited])
    #expect(first.cancelCount == 0)
    #expect(second.requests == [])
    #expect(second.cancelCount == 1)
    first.send(1)
    second.send(2)
    #expect(received.all == ["1"])
    sink.cancel()
    sink.cancel()
    #expect(first.cancelCount == 1)
  }

  @Test(arguments: SubjectKind.allCases)
  func `takes one subscription of two subjects, too`(kind: SubjectKind) {
    let first = kind.make()
    let second = kind.make()
    let received = Notes<String>()
    let sink = makeSink(LifetimeTracker(), received)
    first.subscribe(sink)
    second.subscribe(sink)
    first.send(1)
    second.send(2)
    second.send(completion: .finished)
    first.send(3)
    sink.cancel()
    first.send(4)
    #expect(received.all == kind.replay.map { "\($0)" } + ["1", "3"])
  }

  @Test(arguments: Ending.allCases)
  func `O5: lets go of its closures at cancel and at the terminal`(ending: Ending) {
    let tracker = LifetimeTracker()
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let received = Notes<String>()
    let sink = makeSink(tracker, received)
    upstream.subscribe(sink)
    tracker.track(upstream.subscriptions[0], "subscription")
    upstream.send(1)
    #expect(tracker.survivors().map(\.name) == ["closures", "subscription"])
    if let terminal = ending.terminal {
      upstream.send(completion: terminal)
    } else {
      sink.cancel()
    }
    let count = received.count
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(received.count == count)
    upstream.forgetSubscriptions()
    #expect(tracker.survivors() == [])
    withExtendedLifetime(sink) {}
  }

  @Test(arguments: SubjectKind.allCases, Ending.allCases)
  func `O5: likewise below operators and a subject`(kind: SubjectKind, ending: Ending) {
    let tracker = LifetimeTracker()
    let subject = kind.make()
    let sink = makeSink(tracker)
    let token = Shared<Token?>(tracker.track(Token(), "predicate"))
    subject.eraseToAnyPublisher().filter { [token = token.value] _ in
      withExtendedLifetime(token) { true }
    }.prefix(9).map { $0 }.subscribe(sink)
    token.value = nil
    subject.send(1)
    #expect(tracker.survivors().map(\.name) == ["closures", "predicate"])
    if let terminal = ending.terminal { subject.send(completion: terminal) } else { sink.cancel() }
    #expect(tracker.survivors() == [])
    withExtendedLifetime((sink, subject)) {}
  }

  @Test func `O5: cancelled before it ever subscribes it stays silent and lets go`() {
    let tracker = LifetimeTracker()
    let received = Notes<String>()
    let sink = makeSink(tracker, received)
    sink.cancel()
    #expect(tracker.survivors() == [])
    _ = sink.receive(1)
    sink.receive(completion: .finished)
    sink.receiveValue(2)
    sink.receiveCompletion(.finished)
    Publishers.Sequence<[Int], Broken>(sequence: [1, 2]).subscribe(sink)
    #expect(received.all == [])
  }

  @Test func `O5: cancelled inside its own closure it lets go when that has returned`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Broken>()
    let held = Shared<Subscribers.Sink<Int, Broken>?>(nil)
    let alive = Notes<Int>()
    let token = Shared<Token?>(tracker.track(Token(7)))
    held.value = Subscribers.Sink(
      receiveCompletion: { _ in },
      receiveValue: { [token = token.value] _ in
        held.value?.cancel()
        alive.append(token?.id ?? 0)
      })
    token.value = nil
    held.value.map(subject.subscribe)
    subject.send(1)
    subject.send(2)
    #expect(alive.all == [7])
    #expect(tracker.survivors() == [])
    held.value = nil
  }

  @Test func `O5: while another thread delivers, that thread lets go before the next value`() {
    let tracker = LifetimeTracker()
    let subject = PassthroughSubject<Int, Broken>()
    let entered = Gate()
    let mayLeave = Gate()
    let survivors = Notes<Int>()
    let token = Shared<Token?>(tracker.track(Token()))
    let sink = subject.sink(receiveCompletion: { _ in }) { [token = token.value] _ in
      entered.open()
      mayLeave.wait()
      withExtendedLifetime(token) {}
    }
    token.value = nil
    let witness = subject.sink(receiveCompletion: { _ in }) { value in
      if value == 2 { survivors.append(tracker.survivors().count) }
    }
    let sender = TestThread { subject.send(1) }
    #expect(entered.wait())
    subject.send(2)
    sink.cancel()
    #expect(tracker.survivors().count == 1)
    mayLeave.open()
    #expect(sender.join())
    #expect(survivors.all == [0])
    witness.cancel()
  }

  @Test func `is described as Combine's`() {
    let sink = makeSink(LifetimeTracker())
    #expect(sink.description == "Sink")
    #expect(sink.playgroundDescription as? String == "Sink")
    #expect(Mirror(reflecting: sink).children.isEmpty)
  }
}
