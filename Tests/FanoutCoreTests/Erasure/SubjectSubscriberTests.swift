// `@unchecked Sendable` invariant: one thread uses a recording subject.

import Dispatch
import FanoutCore
import Foundation
import Testing

private struct Oops: Error {}

/// A subject that records what it is sent, and does nothing else.
private final class RecordingSubject: Subject, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Oops

  private(set) var events: [String] = []
  private(set) var upstream: (any Subscription)?

  func send(_ value: Int) { events.append("\(value)") }

  func send(completion: Subscribers.Completion<Oops>) {
    if case .finished = completion { events.append("finished") } else { events.append("failed") }
  }

  func send(subscription: any Subscription) {
    events.append("\(subscription)")
    upstream = subscription
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {}
}

private final class RecordingSubscription: Subscription {
  private let lock = NSLock()
  private var state = (requests: [Subscribers.Demand](), cancelCount: 0)

  var requests: [Subscribers.Demand] { lock.withLock { state.requests } }
  var cancelCount: Int { lock.withLock { state.cancelCount } }

  func request(_ demand: Subscribers.Demand) { lock.withLock { state.requests.append(demand) } }
  func cancel() { lock.withLock { state.cancelCount += 1 } }
}

private final class Source: Publisher {
  typealias Output = Int
  typealias Failure = Oops

  let subscription = RecordingSubscription()
  private(set) var subscriber: AnySubscriber<Int, Oops>?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Oops {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: subscription)
  }
}

private final class Signal: Subject {
  typealias Output = Void
  typealias Failure = Never

  private(set) var count = 0
  func send(_ value: Void) { count += 1 }
  func send(completion: Subscribers.Completion<Never>) {}
  func send(subscription: any Subscription) {}
  func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {}
}

struct SubjectSubscriberTests {
  @Test func `is sent what its upstream delivers and asks itself`() {
    let source = Source()
    let subject = RecordingSubject()
    let cancellable = source.subscribe(subject)
    #expect(source.subscription.requests == [])
    #expect(source.subscriber?.receive(1) == Subscribers.Demand.none)
    #expect(source.subscriber?.receive(2) == Subscribers.Demand.none)
    subject.upstream?.request(.max(42))
    #expect(source.subscription.requests == [.max(42)])
    source.subscriber?.receive(completion: .failure(Oops()))
    #expect(subject.events == ["Subject", "1", "2", "failed"])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `gets nothing more after cancel`() {
    let source = Source()
    let subject = RecordingSubject()
    let cancellable = source.subscribe(subject)
    cancellable.cancel()
    cancellable.cancel()
    subject.upstream?.cancel()
    subject.upstream?.request(.unlimited)
    #expect(source.subscriber?.receive(3) == Subscribers.Demand.none)
    source.subscriber?.receive(completion: .finished)
    #expect(subject.events == ["Subject"])
    #expect(source.subscription.cancelCount == 1)
    #expect(source.subscription.requests == [])
  }

  @Test func `gets nothing more after the terminal`() {
    let source = Source()
    let subject = RecordingSubject()
    let cancellable = source.subscribe(subject)
    source.subscriber?.receive(completion: .finished)
    source.subscriber?.receive(completion: .finished)
    _ = source.subscriber?.receive(1)
    cancellable.cancel()
    #expect(subject.events == ["Subject", "finished"])
    #expect(source.subscription.cancelCount == 0)
  }

  @Test func `takes one subscription and cancels every other`() {
    let subject = RecordingSubject()
    let subscriber = AnySubscriber(subject)
    let (first, second) = (RecordingSubscription(), RecordingSubscription())
    subscriber.receive(subscription: first)
    subscriber.receive(subscription: second)
    #expect(first.cancelCount == 0)
    #expect(second.cancelCount == 1)
    #expect(subject.events == ["Subject"])
    #expect(subscriber.description == "Subject")
    subscriber.receive(completion: .finished)
  }

  @Test(arguments: [true, false])
  func `O2 is retained until cancel or the terminal`(cancels: Bool) {
    let source = Source()
    weak var weakSubject: RecordingSubject?
    let cancellable: AnyCancellable
    do {
      let subject = RecordingSubject()
      weakSubject = subject
      cancellable = source.subscribe(subject)
    }
    #expect(weakSubject?.events == ["Subject"])
    if cancels {
      cancellable.cancel()
    } else {
      source.subscriber?.receive(completion: .finished)
    }
    #expect(weakSubject == nil)
    #expect(source.subscriber?.receive(1) == Subscribers.Demand.none)
    #expect(source.subscription.cancelCount == (cancels ? 1 : 0))
    withExtendedLifetime(cancellable) {}
  }

  @Test(arguments: [true, false])
  func `O2 its upstream is let go at cancel and at the terminal`(cancels: Bool) {
    weak var weakSubscription: RecordingSubscription?
    let subject = RecordingSubject()
    let subscriber = AnySubscriber(subject)
    do {
      let subscription = RecordingSubscription()
      weakSubscription = subscription
      subscriber.receive(subscription: subscription)
    }
    #expect(weakSubscription != nil)
    if cancels {
      subject.upstream?.cancel()
    } else {
      subscriber.receive(completion: .finished)
    }
    #expect(weakSubscription == nil)
    withExtendedLifetime((subject, subscriber)) {}
  }

  @Test func `shows its parts until it ends`() {
    let subject = RecordingSubject()
    let subscriber = AnySubscriber(subject)
    func shown() -> [String: Bool] {
      let parts = Mirror(reflecting: subscriber).children.map { child in
        (child.label ?? "", Mirror(reflecting: child.value).children.isEmpty)
      }
      return Dictionary(uniqueKeysWithValues: parts)
    }
    let labels: Set = ["downstreamSubject", "upstreamSubscription", "subject"]
    subscriber.receive(subscription: RecordingSubscription())
    #expect(Set(shown().keys) == labels)
    #expect(shown()["subject"] == false)
    subscriber.receive(completion: .finished)
    #expect(shown() == ["downstreamSubject": true, "upstreamSubscription": true, "subject": true])
  }

  @Test func `a value that says nothing needs no argument`() {
    let signal = Signal()
    signal.send()
    signal.send()
    #expect(signal.count == 2)
  }
}

struct SubjectSubscriberRaceTests {
  @Test func `is cancelled once when many threads cancel and ask`() {
    for _ in 0..<300 {
      let source = Source()
      let subject = RecordingSubject()
      let cancellable = source.subscribe(subject)
      nonisolated(unsafe) let upstream = subject.upstream
      DispatchQueue.concurrentPerform(iterations: 4) { index in
        if index == 0 { cancellable.cancel() }
        upstream?.request(.max(1))
        upstream?.cancel()
      }
      #expect(source.subscription.cancelCount == 1)
    }
  }
}
