import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Bursts of events that are handled one by one by something slow and asynchronous, and none is lost.
@Suite(.timeLimit(.minutes(30)))
struct OneByOneTests {
  /// The slow handler: knows how many were at work at most, and in which order they were.
  private final class Handler: Sendable {
    let occupancy = Occupancy()
    let order = Notes<Int>()
    let handled = Arrivals()

    func handle(_ event: Int) async {
      occupancy.enter()
      for _ in 0..<3 { await Task.yield() }
      order.append(event)
      occupancy.leave()
      handled.arrive()
    }
  }

  /// Sends events in bursts, each while the handler is at the one before.
  private func send(_ subject: PassthroughSubject<Int, Never>, while handler: Handler) async {
    for burst in 0..<20 {
      for number in 1...10 { subject.send(burst * 10 + number) }
      await handler.handled.wait(for: burst * 8)
    }
    subject.send(completion: .finished)
  }

  private func check(_ handler: Handler) {
    #expect(handler.order.all == Array(1...200))
    #expect(handler.occupancy.most == 1)
  }

  @Test func `buffer and asyncMap with one task at a time`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (handler, ended) = (Handler(), Arrivals())
    let subscription =
      subject
      .buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      .asyncMap(maxConcurrent: 1) { await handler.handle($0) }
      .sink(receiveCompletion: { _ in ended.arrive() }, receiveValue: { _ in })
    await send(subject, while: handler)
    await ended.wait()
    check(handler)
    subscription.cancel()
  }

  @Test func `buffer and flatMap of one deferred future at a time`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (handler, ended) = (Handler(), Arrivals())
    let subscription =
      subject
      .buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      .flatMap(maxPublishers: .max(1)) { event in
        Deferred { Future { await handler.handle(event) } }
      }
      .sink(receiveCompletion: { _ in ended.arrive() }, receiveValue: { _ in })
    await send(subject, while: handler)
    await ended.wait()
    check(handler)
    subscription.cancel()
  }

  @Test func `buffer and flatMap of one deferred future at a time, with a promise`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (handler, ended) = (Handler(), Arrivals())
    let subscription =
      subject
      .buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      .flatMap(maxPublishers: .max(1)) { event in
        Deferred {
          Future<Void, Never> { promise in
            Task {
              await handler.handle(event)
              promise(.success(()))
            }
          }
        }
      }
      .sink(receiveCompletion: { _ in ended.arrive() }, receiveValue: { _ in })
    await send(subject, while: handler)
    await ended.wait()
    check(handler)
    subscription.cancel()
  }

  @Test func `buffer and a loop over values`() async {
    let subject = PassthroughSubject<Int, Never>()
    let handler = Handler()
    let events = subject.buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
    let subscribed = Arrivals()
    let loop = Task {
      var iterator = events.values.makeAsyncIterator()
      subscribed.arrive()
      while let event = await iterator.next() { await handler.handle(event) }
    }
    await subscribed.wait()
    await send(subject, while: handler)
    await loop.value
    check(handler)
  }

  @Test func `more tasks at a time do overlap, as the count shows`() async {
    let (both, ended) = (Arrivals(), Arrivals())
    let handler = Handler()
    let subscription = (1...2).publisher
      .asyncMap(maxConcurrent: 2) { event in
        handler.occupancy.enter()
        both.arrive()
        await both.wait(for: 2)
        handler.occupancy.leave()
        return event
      }
      .sink(receiveCompletion: { _ in ended.arrive() }, receiveValue: { _ in })
    await ended.wait()
    #expect(handler.occupancy.most == 2)
    subscription.cancel()
  }

  @Test func `without a buffer, what comes while one is handled is lost`() async {
    let subject = PassthroughSubject<Int, Never>()
    let (began, held, ended) = (Arrivals(), Arrivals(), Arrivals())
    let handled = Notes<Int>()
    let subscription =
      subject
      .asyncMap(maxConcurrent: 1) { event in
        began.arrive()
        await held.wait()
        handled.append(event)
      }
      .sink(receiveCompletion: { _ in ended.arrive() }, receiveValue: { _ in })
    subject.send(1)
    await began.wait()
    subject.send(2)
    held.arrive()
    subject.send(completion: .finished)
    await ended.wait()
    #expect(handled.all == [1])
    subscription.cancel()
  }
}
