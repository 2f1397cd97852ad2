import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CustomTypesTests {
  @Test func `a publisher, an operator and a subscriber of somebody else's work together`() {
    let subject = CustomSubject<Int, Never>()
    let sink = CustomSink<Int, Never>()
    CustomScan(upstream: subject, initial: 10) { $0 + $1 }.receive(subscriber: sink)
    subject.send(1...4, completion: .finished)
    #expect(sink.values == [11, 13, 16, 20])
    #expect(sink.completion == .finished)
  }

  @Test func `ours below theirs`() {
    let subject = CustomSubject<Int, Never>()
    let received = Notes<Int>()
    let sink = CustomScan(upstream: subject, initial: 0) { $0 + $1 }
      .filter { $0.isMultiple(of: 2) == false }.map { $0 * 10 }.prefix(3).eraseToAnyPublisher()
      .sink { received.append($0) }
    subject.send(1...9)
    #expect(received.all == [10, 30, 150])
    sink.cancel()
  }

  @Test func `theirs below ours`() {
    let subject = PassthroughSubject<Int, Never>()
    let sink = CustomSink<Int, Never>()
    CustomScan(upstream: subject.map { $0 * 10 }.filter { $0 > 10 }, initial: 0) { $0 + $1 }
      .receive(subscriber: sink)
    (1...4).forEach(subject.send)
    #expect(sink.values == [20, 50, 90])
    sink.cancel()
    subject.send(5)
    #expect(sink.values == [20, 50, 90])
    let other = CustomSink<Int, Never>()
    (1...3).publisher.receive(subscriber: other)
    #expect(other.values == [1, 2, 3])
    #expect(other.completion == .finished)
  }

  @Test func `theirs feeds ours as an upstream`() {
    let upstream = CustomSubject<Int, Never>()
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>()
    let feed = CustomScan(upstream: upstream, initial: 0) { $1 }.subscribe(subject)
    upstream.send(1...3)
    subject.subscribe(subscriber)
    upstream.send(4...6, completion: .finished)
    #expect(subscriber.values == [4, 5, 6])
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    feed.cancel()
  }

  /// The article's question: a stateful scan B, observed by C, and by D that comes halfway.
  ///
  /// Shared by nothing, each observer has a run of its own.
  @Test func `resubscribe: C and D, who comes halfway, each get all of their own run`() {
    let requests = Notes<PassthroughSubject<Int, Never>>()
    let deferred = Deferred {
      let request = PassthroughSubject<Int, Never>()
      requests.append(request)
      return request
    }
    let scanB = deferred.scan(10, +)
    let (observerC, observerD) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    scanB.subscribe(observerC)
    (1...2).forEach(requests.all[0].send)
    scanB.subscribe(observerD)
    (3...4).forEach(requests.all[0].send)
    requests.all[0].send(completion: .finished)
    (1...4).forEach(requests.all[1].send)
    requests.all[1].send(completion: .finished)
    for observer in [observerC, observerD] {
      #expect(observer.values == [11, 13, 16, 20])
      #expect(observer.completion == .finished)
      #expect(observer.violations == [])
    }
  }

  @Test func `resubscribe: likewise of a sequence, and with types of somebody else's`() {
    let scanB = CustomScan(upstream: (1...4).publisher, initial: 10) { $0 + $1 }
    let (observerC, observerD) = (CustomSink<Int, Never>(), CustomSink<Int, Never>())
    scanB.receive(subscriber: observerC)
    scanB.receive(subscriber: observerD)
    #expect(observerC.values == [11, 13, 16, 20])
    #expect(observerD.values == [11, 13, 16, 20])
  }

  @Test func `multicast through a subject: D gets the second half of what C gets`() {
    let subjectA = PassthroughSubject<Int, Never>()
    let subjectB = PassthroughSubject<Int, Never>()
    let feed = subjectA.scan(10, +).subscribe(subjectB)
    let (observerC, observerD) = (TestSubscriber<Int, Never>(), TestSubscriber<Int, Never>())
    subjectB.subscribe(observerC)
    (1...2).forEach(subjectA.send)
    subjectB.subscribe(observerD)
    (3...4).forEach(subjectA.send)
    subjectA.send(completion: .finished)
    #expect(observerC.values == [11, 13, 16, 20])
    #expect(observerD.values == [16, 20])
    #expect(observerD.completion == .finished)
    feed.cancel()
  }
}
