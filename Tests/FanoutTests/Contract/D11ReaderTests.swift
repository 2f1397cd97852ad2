// `@unchecked Sendable` invariant: the rule under test, that one thread at a time is inside a cache; `inside` tells.

import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The moments of a cache that a thread reads.
private struct CacheMoments: Sendable {
  let isRead = Gate()
  let mayReturn = Gate()
  let inside = Shared(0)
}

/// A cache with a reference, whose contents are held until a gate opens.
private final class HeldCache: ReplayCache, @unchecked Sendable {
  private let moments: CacheMoments
  private var values: [Int] = []

  init(_ moments: CacheMoments) { self.moments = moments }

  func record(_ value: Int) {
    enter()
    values.append(value)
    leave()
  }

  var contents: [Int] {
    enter()
    moments.isRead.open()
    moments.mayReturn.wait()
    leave()
    return values
  }

  private func enter() { #expect(moments.inside.increment() == 1) }

  private func leave() { moments.inside.change { $0 -= 1 } }
}

/// A subject that has sent a value, while a thread is inside its cache.
private struct ReadSubject {
  let subject: ReplaySubject<Int, Broken>
  let moments = CacheMoments()
  let replayed = Notes<[Int]>()
  private let subscriber = TestSubscriber<Int, Broken>()
  private let reader: TestThread

  init() {
    let (moments, replayed) = (moments, replayed)
    let subject = ReplaySubject<Int, Broken>(.custom { HeldCache(moments) })
    self.subject = subject
    // It joins at the live values, so that nobody reads the cache for it.
    subject.joining(.live).subscribe(subscriber)
    subject.send(1)
    reader = TestThread { replayed.append(subject.replayed) }
    #expect(moments.isRead.wait())
  }

  /// Lets the cache return its contents, and then waits until the reader has returned.
  func endReading() -> Bool {
    moments.mayReturn.open()
    return reader.join()
  }

  /// The values that the subscriber has got.
  var values: [Int] { subscriber.values }

  func cancel() { subscriber.cancel() }
}

struct D11ReaderTests {
  @Test func `D11: a value that dies while the replay is read may take a lock of a sender`() {
    let clock = TestScheduler()
    let subject = ReplaySubject<Token, Never>(.last(10, within: .seconds(1), clock: clock))
    let lock = UserLock()
    let isInside = Gate()
    let isDying = Gate()
    let couldLock = Shared(false)
    let sink = subject.sink { _ in }
    subject.send(
      Token(1) {
        isDying.open()
        couldLock.value = finishes { lock.hold {} }
      })
    clock.advance(by: .seconds(2))
    let sender = TestThread {
      lock.hold {
        isInside.open()
        isDying.wait()
        subject.send(Token(2))
      }
    }
    #expect(isInside.wait())
    let reader = TestThread { _ = subject.replayed }
    #expect(reader.join())
    #expect(sender.join())
    #expect(couldLock.value)
    sink.cancel()
  }

  @Test func `D11: no call waits for a thread that reads a cache, which does then what they leave`()
  {
    let read = ReadSubject()
    let subject = read.subject
    let late = TestSubscriber<Int, Broken>()
    let gone = TestSubscriber<Int, Broken>()
    #expect(
      finishes {
        subject.send(2)
        subject.subscribe(late)
        subject.subscribe(gone)
        gone.cancel()
        subject.send(3)
      })
    #expect(read.values == [1])
    #expect(late.events == [.subscription])
    #expect(read.endReading())
    #expect(read.replayed.all == [[1]])
    #expect(read.values == [1, 2, 3])
    #expect(late.values == [1, 2, 3])
    #expect(gone.values == [])
    #expect(subject.replayed == [1, 2, 3])
    late.cancel()
    read.cancel()
  }

  @Test func `D11: a second thread that looks meanwhile returns without the contents`() {
    let read = ReadSubject()
    let subject = read.subject
    let second = Notes<[Int]>()
    let counts = Notes<Int?>()
    #expect(
      finishes {
        second.append(subject.replayed)
        counts.append(subject.status.cached)
      })
    #expect(second.all == [[]])
    #expect(counts.all == [nil])
    #expect(read.endReading())
    #expect(read.replayed.all == [[1]])
    #expect(subject.status.cached == 1)
    read.cancel()
  }

  @Test func `D11: an end that is left to a thread that reads a cache arrives`() {
    let read = ReadSubject()
    let subject = read.subject
    #expect(finishes { subject.send(completion: .finished) })
    #expect(read.endReading())
    #expect(read.values == [1])
    let late = TestSubscriber<Int, Broken>()
    subject.subscribe(late)
    #expect(late.events == [.subscription, .value(1), .completion(.finished)])
    read.cancel()
  }

  @Test(arguments: [false, true])
  func `D11: beside a thread that delivers the replay of a cache is empty, and its count unknown`(
    isStraight: Bool
  ) {
    let subject = ReplaySubject<Int, Broken>(.latest { $0 % 2 })
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    if !isStraight { subject.subscribe(slow) }
    let held = HeldSubscriber(at: 3)
    subject.send(1)
    subject.send(2)
    subject.joining(.live).subscribe(held.subscriber)
    let sender = TestThread { subject.send(3) }
    #expect(held.stands())
    let counts = Notes<Int?>()
    let replayed = Notes<[Int]>()
    #expect(
      finishes {
        counts.append(subject.status.cached)
        replayed.append(subject.replayed)
      })
    #expect(counts.all == [nil])
    #expect(replayed.all == [[]])
    held.letGo()
    #expect(sender.join())
    #expect(subject.replayed == [2, 3])
    #expect(subject.status.cached == 2)
    slow.cancel()
    held.subscriber.cancel()
  }

  @Test func `D11: the contents of a cache are found beside another thread that only looks`() {
    let subject = ReplaySubject<Int, Never>(.latest { $0 })
    for value in 1...50 { subject.send(value) }
    let empty = Notes<Int>()
    let look: @Sendable () -> Void = {
      for round in 0..<500 where subject.replayed.count != 50 || subject.status.cached != 50 {
        empty.append(round)
      }
    }
    #expect(race(look, look))
    #expect(empty.all == [])
  }
}
