import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct TryMapTests {
  @Test func `delivers what its closure makes, and fails with what it throws`() {
    let subscriber = TestSubscriber<Int, any Error>()
    (1...5).failing.map { $0 * 10 }.subscribe(subscriber)
    #expect(subscriber.values == [10, 20, 30, 40])
    #expect(subscriber.failure is Broken)
    #expect(subscriber.violations == [])
  }

  @Test func `passes the upstream's failure and end`() {
    let failed = TestSubscriber<Int, any Error>()
    Fail<Int, Broken>(error: Broken()).tryMap { $0 }.subscribe(failed)
    #expect(failed.failure is Broken)
    let finished = TestSubscriber<Int, any Error>()
    (1...2).publisher.tryMap { $0 }.subscribe(finished)
    #expect(finished.values == [1, 2])
    #expect(finished.completion != nil && finished.failure == nil)
  }

  @Test func `D9: an error cancels the upstream once, before it is delivered, and ends all`() {
    let upstream = TestPublisher<Int, Never>(ignoresCancel: true)
    let cancelsAtEnd = Shared(0)
    let subscriber = TestSubscriber<Int, any Error>(
      whenCompleted: { _ in cancelsAtEnd.value = upstream.cancelCount })
    upstream.tryMap { _ in throw Broken() }.subscribe(subscriber)
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(cancelsAtEnd.value == 1)
    #expect(upstream.cancelCount == 1)
    #expect(subscriber.values == [])
    #expect(subscriber.events.count == 2)
    #expect(subscriber.failure is Broken)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D9: an error in a subject's delivery ends a sink`(kind: SubjectKind) {
    let subject = kind.make()
    let notes = Notes<String>()
    let sink = subject.eraseToAnyPublisher().tryMap { value -> Int in
      if value == 2 { throw Broken() }
      return value
    }.sink(
      receiveCompletion: { notes.append("\($0)") }, receiveValue: { notes.append("\($0)") })
    (1...3).forEach(subject.send)
    let values = (kind.replay + [1]).map { "\($0)" }
    #expect(notes.all == values + ["failure(TestFixtures.Broken())"])
    sink.cancel()
  }

  @Test func `D7: who cancels in the closure gets neither the value nor the error`() {
    for throwsToo in [true, false] {
      let upstream = TestPublisher<Int, Never>()
      let held = Shared<TestSubscriber<Int, any Error>?>(nil)
      let subscriber = TestSubscriber<Int, any Error>()
      held.value = subscriber
      upstream.tryMap { value in
        held.value?.cancel()
        if throwsToo { throw Broken() }
        return value
      }.subscribe(subscriber)
      upstream.send(1)
      #expect(subscriber.events.count == 1)
      #expect(upstream.cancelCount == 1)
      held.value = nil
    }
  }
}

extension TestSubscriber {
  /// The failure that has come.
  var failure: Failure? {
    if case .failure(let error) = completion { error } else { nil }
  }
}
