import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A chain of values, each of which causes the next, until it is stopped.
///
/// It stops by itself at a number far beyond the one at which a loop gets its thread back. So a
/// loop that does not get it back fails its test, and does not hang it.
private final class Flood: Sendable {
  static let most = 300_000

  private let next: @Sendable (Int) -> Void
  private let newest = Shared(0)
  private let isOver = Shared(false)
  private let hasEnded = Shared(false)

  init(_ next: @escaping @Sendable (Int) -> Void) { self.next = next }

  /// Brings the value after this one.
  func goOn(after value: Int) {
    newest.value = value
    if isOver.value || value >= Self.most { return hasEnded.value = true }
    next(value + 1)
  }

  /// Returns whether it still continues without its caller, and then stops it.
  func isStillGoingOn() async -> Bool {
    guard !hasEnded.value else { return false }
    let before = newest.value
    while newest.value == before { await Task.yield() }
    isOver.value = true
    while !hasEnded.value { await Task.yield() }
    return newest.value < Self.most
  }
}

/// A cache whose contents the delivering thread reads.
private struct AskedCache: ReplayCache {
  let whenAsked: @Sendable () -> Void

  mutating func record(_ value: Int) {}
  var contents: [Int] {
    whenAsked()
    return [-1]
  }
}

/// Loops whose threads become the delivering ones, while other threads bring more without end.
@Suite(.timeLimit(.minutes(30)))
struct LoopComesBackTests {
  @Test func `Q5: next comes back while a subject is sent to without end`() async {
    let source = CurrentValueSubject<Int, Never>(0)
    let flood = Flood { source.send($0) }
    let sink = source.sink { if $0 > 0 { flood.goOn(after: $0) } }
    var iterator = source.map { value in
      if value == 0 { source.send(1) }
      return value
    }.values.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    #expect(await flood.isStillGoingOn())
    sink.cancel()
  }

  @Test func `Q5: next comes back while an element that it made is followed without end`() async {
    let source = CurrentValueSubject<Int, Never>(0)
    let flood = Flood { source.send($0) }
    let sink = source.sink { if $0 > 0 { flood.goOn(after: $0) } }
    // Making the second element subscribes, and so takes the right to deliver the subject's values.
    let numbers = sequence(state: 0) { number -> Int? in
      number += 1
      if number == 2 { source.sink { if $0 == 0 { source.send(1) } }.cancel() }
      return number
    }
    var iterator = numbers.publisher.values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(await flood.isStillGoingOn())
    sink.cancel()
  }

  @Test func `Q5: next comes back while a buffer is filled without end`() async {
    let upstream = PassthroughSubject<Int, Never>()
    let flood = Flood { upstream.send($0) }
    let shared = upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
      .handleEvents(receiveOutput: { flood.goOn(after: $0) })
      .share()
    let keeping = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(keeping)
    var iterator = AsyncPublisher(shared).makeAsyncIterator()
    upstream.send(1)
    // The share asks the buffer for everything when its first subscriber asks.
    #expect(await iterator.next() == 1)
    #expect(await flood.isStillGoingOn())
    keeping.cancel()
  }

  @Test(arguments: [true, false])
  func `Q5: making an iterator comes back while a buffer is filled without end`(
    fetches: Bool
  ) async {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in subscription.send(1) })
    let flood = Flood { upstream.send($0) }
    let shared = upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
      .handleEvents(receiveOutput: { flood.goOn(after: $0) })
      .share(replay: .all)
    if fetches {
      var iterator = shared.values.makeAsyncIterator()
      #expect(await iterator.next() == 1)
      #expect(await flood.isStillGoingOn())
    } else {
      var iterator = AsyncPublisher(shared).makeAsyncIterator()
      #expect(await iterator.next() == 1)
      #expect(await flood.isStillGoingOn())
    }
  }

  @Test(arguments: [true, false])
  func `Q5: making an iterator comes back while a subject is sent to without end`(
    fetches: Bool
  ) async {
    let begin = Shared<@Sendable () -> Void>({})
    let subject = ReplaySubject<Int, Never>(.custom { AskedCache { begin.value() } })
    let flood = Flood { subject.send($0) }
    let sink = subject.sink { if $0 > 0 { flood.goOn(after: $0) } }
    begin.value = {
      begin.value = {}
      subject.send(1)
    }
    if fetches {
      var iterator = subject.values.makeAsyncIterator()
      #expect(await iterator.next() == -1)
      #expect(await flood.isStillGoingOn())
    } else {
      var iterator = AsyncPublisher(subject).makeAsyncIterator()
      #expect(await iterator.next() == -1)
      #expect(await flood.isStillGoingOn())
    }
    sink.cancel()
  }

  @Test func `Q5: a loop begins behind a buffer that two threads fill all the time`() async {
    for _ in 0..<5 {
      let subject = PassthroughSubject<Int, Never>()
      let isOver = Shared(false)
      let senders = (0..<2).map { _ in
        TestThread {
          var number = 0
          while !isOver.value {
            subject.send(number)
            number += 1
          }
        }
      }
      var iterator = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
        .values.makeAsyncIterator()
      // More than the buffer has room for, so that some come while the senders still run.
      for _ in 0..<100 { #expect(await iterator.next() != nil) }
      isOver.value = true
      for sender in senders {
        let hasEnded = sender.join()
        #expect(hasEnded)
      }
    }
  }

  @Test func `D3 Q5: a send while a loop subscribes returns when everything is delivered`() async {
    let subject = PassthroughSubject<Int, Never>()
    let newest = Shared(0)
    let sink = subject.sink { number in
      newest.value = number
      if number < 1000 { subject.send(number + 1) }
    }
    let delivered = Deferred {
      subject.send(1)
      return Just(newest.value)
    }
    var iterator = delivered.values.makeAsyncIterator()
    #expect(await iterator.next() == 1000)
    sink.cancel()
  }

  @Test(arguments: [true, false])
  func
    `D3 Q5: a send through a queue returns when everything is delivered, while a loop subscribes or asks`(
      whileSubscribing: Bool
    ) async
  {
    let start = PassthroughSubject<Int, Never>()
    let next = PassthroughSubject<Int, Never>()
    let newest = Shared(0)
    let whenReturned = Shared(0)
    // The thread that brings the first value continues with the queue: each value arrives inside
    // the one before.
    let sink = start.merge(with: next).sink { number in
      newest.value = number
      if number < 1000 { next.send(number + 1) }
    }
    let send: @Sendable () -> Void = {
      guard whenReturned.value == 0 else { return }
      start.send(1)
      whenReturned.value = newest.value
    }
    var iterator = Just("value").handleEvents(
      receiveSubscription: { _ in if whileSubscribing { send() } }, receiveRequest: { _ in send() }
    ).values.makeAsyncIterator()
    #expect(await iterator.next() == "value")
    #expect(whenReturned.value == 1000)
    sink.cancel()
  }

  @Test func `Q5: a cancel ends a loop that no value of its sequence reaches`() async {
    let isUnderWay = AsyncGate()
    let loop = Task {
      let numbers = sequence(first: 0) { $0 &+ 1 }.publisher.unspecialized.filter { number in
        if number == 1_000 { isUnderWay.open() }
        return false
      }
      for await number in numbers.values { Issue.record("got \(number)") }
    }
    await isUnderWay.wait()
    loop.cancel()
    await loop.value
  }
}
