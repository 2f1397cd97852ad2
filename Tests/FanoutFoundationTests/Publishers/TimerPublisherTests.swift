import Fanout
import FanoutFoundation
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

/// On a run loop of a thread of its own, as fast as the timer goes; no test says how fast that is.
@Suite(.timeLimit(.minutes(30)))
struct TimerPublisherTests {
  private let thread = LoopThread()

  private var ticks: Timer.TimerPublisher {
    Timer.publish(every: 0.0005, tolerance: 0.0001, on: thread.runLoop, in: .default)
  }

  @Test func `L5: the timer runs from connect to the end of the claim`() {
    let ticks = ticks
    let dates = Notes<Date>()
    let third = Gate()
    let sink = ticks.sink { date in
      dates.append(date)
      if dates.count == 3 { third.open() }
    }
    #expect(dates.all.isEmpty)
    let claim = ticks.connect()
    #expect(third.wait())
    claim.cancel()
    thread.settle()
    let count = dates.count
    thread.settle()
    #expect(dates.count == count)
    #expect(dates.all == dates.all.sorted())
    // The subscriber stays, and gets what the next connection brings.
    let again = ticks.connect()
    let next = Gate()
    let other = ticks.sink { _ in next.open() }
    #expect(next.wait())
    again.cancel()
    sink.cancel()
    other.cancel()
    #expect(thread.stop())
  }

  @Test func `L1: with autoconnect it runs while somebody is there`() {
    let dates = Notes<Date>()
    let third = Gate()
    let ticks = ticks.autoconnect()
    let sink = ticks.sink { date in
      dates.append(date)
      if dates.count == 3 { third.open() }
    }
    #expect(third.wait())
    sink.cancel()
    thread.settle()
    let count = dates.count
    thread.settle()
    #expect(dates.count == count)
    #expect(thread.stop())
  }

  @Test func `D16: a date that nobody asked for is dropped`() {
    let ticks = ticks
    let subscriber = TestSubscriber<Date, Never>(initialDemand: .max(2))
    let fifth = Gate()
    let count = Shared(0)
    ticks.subscribe(subscriber)
    let other = ticks.sink { _ in if count.increment() == 5 { fifth.open() } }
    let claim = ticks.connect()
    #expect(fifth.wait())
    #expect(subscriber.values.count == 2)
    #expect(subscriber.violations == [])
    claim.cancel()
    other.cancel()
    subscriber.cancel()
    #expect(thread.stop())
  }

  @Test func `it keeps what it was made with`() {
    let ticks = ticks
    #expect(ticks.interval == 0.0005)
    #expect(ticks.tolerance == 0.0001)
    #expect(ticks.runLoop === thread.runLoop)
    #expect(ticks.mode == .default)
    #expect(ticks.options == nil)
    #expect(thread.stop())
  }

  @Test func `O2, O4: without a claim nothing of the subscriber is kept`() {
    let gone = Gate()
    let came = Gate()
    do {
      let token = Token { gone.open() }
      let ticks = ticks
      let sink = ticks.sink { _ in
        withExtendedLifetime(token) {}
        came.open()
      }
      let claim = ticks.connect()
      #expect(came.wait())
      claim.cancel()
      sink.cancel()
    }
    #expect(gone.wait())
    #expect(thread.stop())
  }
}

extension LoopThread {
  /// Waits until the loop has done what was to be done when this was called.
  func settle() {
    let isOver = Gate()
    runLoop.schedule { isOver.open() }
    _ = isOver.wait()
  }
}
