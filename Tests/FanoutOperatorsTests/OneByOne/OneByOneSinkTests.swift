import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

private typealias Resume = @Sendable () -> Void

private final class Desk: Sendable {
  let values = Notes<Int>()
  let completions = Notes<Subscribers.Completion<Broken>>()
  private let resumes = Shared<[Resume]>([])

  func take(_ value: Int, _ resume: @escaping Resume) {
    values.append(value)
    resumes.change { $0.append(resume) }
  }

  func resume(_ index: Int) { resumes.value[index]() }

  func clear() { resumes.value = [] }
}

@Suite(.timeLimit(.minutes(30)), .noLeaks)
struct OneByOneSinkTests {
  /// A desk that handles nothing itself, and keeps the closures that request the next value.
  fileprivate let desk = Desk()

  fileprivate func attach(to publisher: some Publisher<Int, Broken>) -> AnyCancellable {
    publisher.oneByOneSink { [desk] in
      desk.completions.append($0)
    } receiveValue: { [desk] in
      desk.take($0, $1)
    }
  }

  @Test func `D8: who has the sink tells it to go on, once a value`() {
    let upstream = TestPublisher<Int, Broken>()
    let desk = self.desk
    let sink = Subscribers.OneByOneSink<Int, Broken>(
      receiveCompletion: { desk.completions.append($0) }, receiveValue: { desk.take($0, $1) })
    sink.resume()
    upstream.subscribe(sink)
    sink.resume()
    #expect(upstream.requests == [.max(1)])
    upstream.send(1)
    sink.resume()
    sink.resume()
    #expect(upstream.requests == [.max(1), .max(1)])
    upstream.send(2)
    desk.resume(0)
    #expect(upstream.requests.count == 2)
    upstream.send(completion: .finished)
    #expect(desk.completions.all == [])
    sink.resume()
    #expect(desk.completions.all == [.finished])
    desk.clear()
  }

  @Test func `D8: it asks for one value, and for one more each time it is told to`() {
    let upstream = TestPublisher<Int, Broken>()
    let cancellable = attach(to: upstream)
    #expect(upstream.requests == [.max(1)])
    upstream.send(1)
    #expect(desk.values.all == [1])
    #expect(upstream.requests == [.max(1)])
    desk.resume(0)
    #expect(upstream.requests == [.max(1), .max(1)])
    desk.resume(0)
    #expect(upstream.requests == [.max(1), .max(1)])
    upstream.send(2)
    desk.resume(0)
    #expect(upstream.requests == [.max(1), .max(1)])
    desk.resume(1)
    #expect(upstream.requests == [.max(1), .max(1), .max(1)])
    cancellable.cancel()
    desk.clear()
  }

  @Test func `D8: a value that comes unasked is not handled beside another`() {
    let sink = Subscribers.OneByOneSink<Int, Broken>(
      receiveCompletion: { _ in }, receiveValue: { [desk] in desk.take($0, $1) })
    #expect(sink.receive(0) == .none)
    sink.receive(subscription: Subscriptions.empty)
    #expect(sink.receive(1) == .none)
    #expect(sink.receive(2) == .none)
    desk.resume(0)
    #expect(sink.receive(3) == .none)
    #expect(desk.values.all == [1, 3])
    sink.cancel()
    desk.clear()
  }

  @Test func `D1: to resume inside the closure does not nest`() {
    let open = Occupancy()
    let cancellable = (1...100).publisher.oneByOneSink { value, resume in
      open.enter()
      resume()
      resume()
      open.leave()
    }
    #expect(open.most == 1)
    cancellable.cancel()
  }

  @Test func `D1: to resume inside the closure asks by what receive returns`() {
    let sink = Subscribers.OneByOneSink<Int, Never>(
      receiveCompletion: { _ in }, receiveValue: { _, resume in resume() })
    sink.receive(subscription: Subscriptions.empty)
    #expect(sink.receive(1) == .max(1))
    #expect(sink.receive(2) == .max(1))
    sink.cancel()
    #expect(sink.receive(3) == .none)
  }

  @Test func `D15: a million values that are resumed at once leave the stack flat`() {
    let count = Shared(0)
    let isFlat = onSmallStack {
      let cancellable = (1...million).publisher.oneByOneSink { _, resume in
        count.increment()
        resume()
      }
      cancellable.cancel()
    }
    #expect(isFlat)
    #expect(count.value == million)
  }

  @Test func `D9: the completion comes when the last value's turn is over`() {
    let subject = PassthroughSubject<Int, Broken>()
    let cancellable = attach(to: subject)
    subject.send(1)
    subject.send(completion: .failure(Broken()))
    #expect(desk.values.all == [1])
    #expect(desk.completions.all == [])
    desk.resume(0)
    desk.resume(0)
    #expect(desk.completions.all == [.failure(Broken())])
    cancellable.cancel()
    desk.clear()
  }

  @Test func `D9: the completion comes at once while no value has its turn`() {
    let cancellable = attach(to: Empty())
    #expect(desk.completions.all == [.finished])
    cancellable.cancel()
    let other = [1].publisher.setFailureType(to: Broken.self).oneByOneSink { [desk] in
      desk.completions.append($0)
    } receiveValue: { _, resume in
      resume()
    }
    #expect(desk.completions.all == [.finished, .finished])
    other.cancel()
  }

  @Test func `D7: an end that waits does not come after a cancel`() {
    let subject = PassthroughSubject<Int, Broken>()
    let cancellable = attach(to: subject)
    subject.send(1)
    subject.send(completion: .finished)
    cancellable.cancel()
    desk.resume(0)
    #expect(desk.completions.all == [])
    desk.clear()
  }

  @Test func `D7: after a cancel nothing is asked for and nothing comes`() {
    let upstream = TestPublisher<Int, Broken>()
    let cancellable = attach(to: upstream)
    upstream.send(1)
    cancellable.cancel()
    desk.resume(0)
    upstream.send(2)
    upstream.send(completion: .finished)
    #expect(desk.values.all == [1])
    #expect(desk.completions.all == [])
    #expect(upstream.requests == [.max(1)])
    desk.clear()
  }

  @Test func `D7: a cancel inside the closure is final, though it was resumed`() {
    let subject = PassthroughSubject<Int, Never>()
    let values = Notes<Int>()
    let sink = Shared<Subscribers.OneByOneSink<Int, Never>?>(nil)
    sink.value = Subscribers.OneByOneSink(
      receiveCompletion: { _ in },
      receiveValue: { value, resume in
        values.append(value)
        resume()
        sink.value?.cancel()
      })
    if let sink = sink.value { subject.subscribe(sink) }
    subject.send(1)
    subject.send(2)
    #expect(values.all == [1])
    sink.value = nil
  }

  @Test func `O5: cancelled before it subscribes it stays silent, and lets go`() {
    weak var kept: Token?
    let sink: Subscribers.OneByOneSink<Int, Never>
    do {
      let token = Token()
      kept = token
      sink = Subscribers.OneByOneSink(
        receiveCompletion: { _ in withExtendedLifetime(token) {} },
        receiveValue: { _, _ in withExtendedLifetime(token) {} })
    }
    #expect(kept != nil)
    sink.cancel()
    #expect(kept == nil)
    (1...3).publisher.subscribe(sink)
  }

  @Test(arguments: [true, false])
  func `O5: it lets go at cancel and at the end, though somebody keeps the way to resume`(
    isCancel: Bool
  ) {
    weak var kept: Token?
    let subject = PassthroughSubject<Int, Never>()
    let cancellable: AnyCancellable
    do {
      let token = Token()
      kept = token
      cancellable = subject.oneByOneSink { [desk] value, resume in
        withExtendedLifetime(token) {}
        desk.take(value, resume)
      }
    }
    subject.send(1)
    #expect(kept != nil)
    if isCancel { cancellable.cancel() } else { subject.send(completion: .finished) }
    #expect(kept == nil)
    desk.resume(0)
    desk.clear()
    cancellable.cancel()
  }
}

@Suite(.timeLimit(.minutes(30)), .noLeaks)
struct OneByOneSinkRaceTests {
  @Test func `D8: any of eight threads may resume, and one value comes for it`() {
    let upstream = TestPublisher<Int, Broken>()
    let tests = OneByOneSinkTests()
    let (desk, cancellable) = (tests.desk, tests.attach(to: upstream))
    for number in 0..<50 {
      upstream.send(number)
      let hasEnded = race((0..<8).map { _ in { @Sendable in desk.resume(number) } })
      #expect(hasEnded)
      #expect(upstream.requests.count == number + 2)
    }
    #expect(desk.values.all == Array(0..<50))
    cancellable.cancel()
    desk.clear()
  }

  @Test func `D7: a cancel races the one who resumes`() {
    for _ in 0..<100 {
      let desk = Desk()
      let subject = PassthroughSubject<Int, Never>()
      let cancellable =
        subject
        .buffer(size: 100, prefetch: .byRequest, whenFull: .dropOldest)
        .oneByOneSink { value, resume in desk.take(value, resume) }
      for number in 1...3 { subject.send(number) }
      let hasEnded = race({ desk.resume(0) }, { cancellable.cancel() }, { subject.send(4) })
      #expect(hasEnded)
      let values = desk.values.all
      #expect(values == [1] || values == [1, 2])
      desk.clear()
    }
  }
}
