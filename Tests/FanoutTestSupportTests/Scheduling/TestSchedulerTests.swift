import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Virtual time moves on command only, and actions have one order.
struct TestSchedulerTests {
  let scheduler = TestScheduler()
  let notes = Notes<String>()

  private func note(_ text: String) { notes.append("\(scheduler.now): \(text)") }

  @Test func `no action runs before its time`() {
    scheduler.schedule(after: 3) { note("a") }
    scheduler.advance(by: 2)
    #expect(notes.all == [])
    scheduler.advance(by: 1)
    #expect(notes.all == ["3: a"])
    #expect(scheduler.now == 3)
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `actions run in order of time, then of scheduling`() {
    scheduler.schedule(after: 2) { note("c") }
    scheduler.schedule(after: 1) { note("a") }
    scheduler.schedule(after: 2) { note("d") }
    scheduler.schedule(after: 1) { note("b") }
    scheduler.advance(to: 9)
    #expect(notes.all == ["1: a", "1: b", "2: c", "2: d"])
    #expect(scheduler.now == 9)
  }

  @Test(arguments: 0..<10)
  func `any number of actions, some of them cancelled, run in order`(seed: UInt64) throws {
    var generator = SeededChance(seed: seed)
    let ran = Notes<Int>()
    var expected: [(time: Int, number: Int)] = []
    for number in 0..<500 {
      let time = Int.random(in: 0..<40, using: &generator)
      if Int.random(in: 0..<3, using: &generator) == 0 {
        scheduler.schedule(after: .init(time), interval: 1) { ran.append(-1) }.cancel()
      }
      scheduler.schedule(after: .init(time)) { ran.append(number) }
      expected.append((time, number))
    }
    try scheduler.run()
    expected.sort { ($0.time, $0.number) < ($1.time, $1.number) }
    #expect(ran.all == expected.map(\.number))
  }

  @Test func `twenty thousand scheduled actions run to the last`() throws {
    for number in 0..<20_000 { scheduler.schedule(after: .init(number)) {} }
    try scheduler.run()
    #expect(scheduler.now == 19_999)
  }

  @Test func `an action without a time or with a past one runs at the next advance, even by zero`()
  {
    scheduler.advance(by: 5)
    scheduler.schedule { note("a") }
    scheduler.schedule(after: 1) { note("b") }
    #expect(notes.all == [])
    scheduler.advance(by: 0)
    #expect(notes.all == ["5: a", "5: b"])
  }

  @Test func `an action scheduled by another runs in the same advance if it is due`() throws {
    scheduler.schedule(after: 1) {
      note("a")
      scheduler.schedule { note("b") }
      scheduler.schedule(after: scheduler.now.advanced(by: 2)) { note("d") }
      scheduler.schedule(after: scheduler.now.advanced(by: 9)) { note("never") }
    }
    scheduler.schedule(after: 2) { note("c") }
    scheduler.advance(by: 4)
    #expect(notes.all == ["1: a", "1: b", "2: c", "3: d"])
    #expect(scheduler.scheduledCount == 1)
    try scheduler.run()
  }

  @Test func `a repetition runs until it is cancelled`() {
    let ticking = scheduler.schedule(after: 1, interval: 2) { note("tick") }
    scheduler.advance(by: 4)
    #expect(notes.all == ["1: tick", "3: tick"])
    ticking.cancel()
    scheduler.advance(by: 4)
    #expect(notes.count == 2)
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `of many actions any ones are cancelled, and the others run in their order`() {
    var ticking = (1...500).map { number in
      scheduler.schedule(after: .init(1000 - number % 7), interval: 1000) { note("\(number)") }
    }
    for number in 1...500 where number % 3 > 0 { ticking[number - 1].cancel() }
    #expect(scheduler.scheduledCount == 166)
    scheduler.advance(by: 1000)
    let kept = (1...500).filter { $0 % 3 == 0 }
      .sorted { (1000 - $0 % 7, $0) < (1000 - $1 % 7, $1) }
    #expect(notes.all == kept.map { "\(1000 - $0 % 7): \($0)" })
    ticking = []
    #expect(scheduler.scheduledCount == 0)
  }

  @Test func `a repetition ends when its cancellable is released, or when it cancels itself`() {
    _ = scheduler.schedule(after: 1, interval: 1) { note("dropped") }
    let ticking = Shared<(any Cancellable)?>(nil)
    ticking.value = scheduler.schedule(after: 1, interval: 1) {
      note("once")
      ticking.value?.cancel()
    }
    scheduler.advance(by: 5)
    #expect(notes.all == ["1: once"])
  }

  @Test func `a repetition runs before the actions that it schedules for the same time`() throws {
    let ticking = scheduler.schedule(after: 0, interval: 1) {
      note("tick")
      scheduler.schedule(after: scheduler.now.advanced(by: 1)) { note("after") }
    }
    scheduler.advance(by: 2)
    ticking.cancel()
    #expect(notes.all == ["0: tick", "1: tick", "1: after", "2: tick", "2: after"])
    try scheduler.run()
  }

  @Test func `run() runs every action until none is left`() throws {
    scheduler.schedule(after: 10) {
      note("a")
      scheduler.schedule(after: 1000) { note("b") }
    }
    try scheduler.run()
    #expect(notes.all == ["10: a", "1000: b"])
    #expect(scheduler.now == 1000)
    try scheduler.run()
    #expect(scheduler.now == 1000)
  }

  @Test func `run() throws at its limit, and leaves the rest scheduled`() throws {
    let ticking = scheduler.schedule(after: 1, interval: 1) { note("tick") }
    let error = #expect(throws: EndlessRun.self) { try scheduler.run(atMost: 5) }
    #expect(error?.actions == 5)
    #expect(error?.time == 5)
    #expect(error?.description.contains("tick 5") == true)
    #expect(scheduler.scheduledCount == 1)
    // A run may continue afterwards.
    scheduler.advance(by: 1)
    ticking.cancel()
    try scheduler.run(atMost: 0)
    #expect(notes.count == 6)
  }

  @Test func `run() accepts exactly as many actions as its limit`() throws {
    for _ in 0..<5 { scheduler.schedule { note("") } }
    try scheduler.run(atMost: 5)
    #expect(notes.count == 5)
  }

  @Test func `advancing inside an action moves the goal`() throws {
    scheduler.schedule(after: 1) {
      note("a")
      scheduler.advance(by: 5)
      note("still in a")
    }
    scheduler.schedule(after: 4) { note("b") }
    scheduler.schedule(after: 7) { note("never") }
    scheduler.advance(by: 2)
    #expect(notes.all == ["1: a", "1: still in a", "4: b"])
    #expect(scheduler.now == 6)
    try scheduler.run()
  }

  @Test func `running inside an advance runs everything`() {
    scheduler.schedule(after: 1) { try? scheduler.run() }
    scheduler.schedule(after: 100) { note("a") }
    scheduler.advance(by: 2)
    #expect(notes.all == ["100: a"])
  }

  @Test func `an action is released after its run, at its cancel, and with the scheduler`() {
    let tracker = LifetimeTracker()
    var scheduler: TestScheduler? = TestScheduler()
    var ticking: (any Cancellable)?
    do {
      let once = tracker.track(Token(1), "once")
      let again = tracker.track(Token(2), "again")
      let never = tracker.track(Token(3), "never")
      scheduler?.schedule { _ = once }
      ticking = scheduler?.schedule(after: 5, interval: 1) { _ = again }
      scheduler?.schedule(after: 100) { _ = never }
    }
    #expect(tracker.survivors().count == 3)
    scheduler?.advance(by: 1)
    #expect(tracker.survivors().count == 2)
    ticking?.cancel()
    #expect(tracker.survivors().count == 1)
    scheduler = nil
    #expect(tracker.survivors().count == 0)
  }

  @Test func `advancing to an earlier time stops the program`() async {
    await #expect(processExitsWith: .failure) { TestScheduler().advance(by: -1) }
    await #expect(processExitsWith: .failure) {
      let scheduler = TestScheduler()
      scheduler.advance(by: 2)
      scheduler.advance(to: 1)
    }
    await #expect(processExitsWith: .failure) {
      _ = TestScheduler().schedule(after: 0, interval: 0) {}
    }
  }
}
