import Fanout
import FanoutTestSupport
import TestThreads
import Testing

/// A test scheduler as a clock.
struct TestClockTests {
  private let clock = TestScheduler()

  @Test func `instants and durations are in ticks, rounded up`() {
    let start = clock.now
    #expect(start.advanced(by: Duration.seconds(2)) == 2000)
    #expect(start.advanced(by: Duration.microseconds(1)) == 1)
    #expect(start.advanced(by: Duration.microseconds(-1)) == 0)
    #expect(start.advanced(by: .seconds(2)) == 2000)
    #expect(start.advanced(by: Duration.seconds(Int64.max)).ticks == .max)
    #expect((3 as TestScheduler.Instant).duration(to: 10) == .milliseconds(7))
    #expect(clock.minimumResolution == .milliseconds(1))
  }

  @Test func `a sleep until now or the past returns at once`() async throws {
    clock.advance(by: 10)
    try await clock.sleep(until: 10)
    try await clock.sleep(until: 3)
    try await clock.sleep(for: .seconds(-1))
    #expect(clock.scheduledCount == 0)
  }

  @Test func `a task wakes when its moment comes, and not before`() async throws {
    let clock = clock
    let sleeping = Task {
      try await Task.sleep(for: .seconds(2), clock: clock)
      return clock.now
    }
    try await clock.waitForSleepers(1, within: .seconds(1800))
    clock.advance(by: 1999)
    #expect(clock.sleeperCount == 1)
    clock.advance(by: 1)
    #expect(clock.sleeperCount == 0)
    #expect(try await sleeping.value == 2000)
  }

  @Test func `actions and sleepers come in order of their moments, then of arrival`() async throws {
    let clock = clock
    let awake = Notes<[Int]>()
    var sleeping: [Task<Void, any Error>] = []
    func fallAsleep(until moment: TestScheduler.Instant) async throws {
      sleeping.append(Task { try await clock.sleep(until: moment) })
      try await clock.waitForSleepers(sleeping.count, within: .seconds(1800))
    }
    let look: @Sendable () -> Void = { awake.append([clock.now.ticks, clock.sleeperCount]) }
    try await fallAsleep(until: 2)
    clock.schedule(after: 2, look)
    try await fallAsleep(until: 2)
    try await fallAsleep(until: 1)
    clock.schedule(after: 1, look)
    clock.schedule(after: 2, look)
    clock.advance(by: 5)
    #expect(awake.all == [[1, 2], [2, 1], [2, 0]])
    for task in sleeping { try await task.value }
  }

  @Test func `D7: a cancel wakes the task with an error, and leaves nothing`() async throws {
    let clock = clock
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(1, within: .seconds(1800))
    sleeping.cancel()
    #expect(clock.scheduledCount == 0)
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    let gate = AsyncGate()
    let late = Task {
      await gate.wait()
      try await clock.sleep(for: .seconds(1))
    }
    late.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(clock.scheduledCount == 0)
  }

  @Test func `D7: while a cancel and an advance race, the task wakes once`() async throws {
    for round in 0..<rounds(300) {
      let clock = TestScheduler()
      let sleeping = Task { try await clock.sleep(for: .milliseconds(1)) }
      // Every third round the cancel may also come before the sleep.
      if round % 3 != 0 { try await clock.waitForSleepers(1, within: .seconds(1800)) }
      let isDone = race({ sleeping.cancel() }, { clock.advance(by: 1) }, { clock.advance(by: 1) })
      #expect(isDone)
      switch await sleeping.result {
      case .success: break
      case .failure(let error): #expect(error is CancellationError)
      }
      #expect(clock.scheduledCount == 0)
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `a sleep that a test has seen is over when its cancel returns`() async throws {
    for _ in 0..<rounds(1000) {
      let clock = TestScheduler()
      let sleeping = Task { try await clock.sleep(for: .milliseconds(1)) }
      try await clock.waitForSleepers(1, within: .seconds(1800))
      sleeping.cancel()
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `time moves no further than the tasks have got`() async throws {
    let clock = clock
    let moments = Notes<Int>()
    let tasks = [1, 2].map { pause in
      Task {
        for _ in 0..<6 / pause {
          try await clock.sleep(for: .milliseconds(pause))
          moments.append(clock.now.ticks)
        }
      }
    }
    try await clock.advance(by: 6, sleepers: 2, within: .seconds(1800))
    for task in tasks { try await task.value }
    #expect(moments.all.sorted() == [1, 2, 2, 3, 4, 4, 5, 6, 6])
    #expect(clock.now == 6)
  }

  @Test func `a wait for sleepers ends with an error that says what is there`() async throws {
    let clock = clock
    let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(1, within: .seconds(1800))
    let error = await #expect(throws: MissingSleepers.self) {
      try await clock.waitForSleepers(2, within: .zero)
    }
    #expect(error?.expected == 2 && error?.found == 1 && error?.time == 0)
    #expect(error?.description.contains("Expected 2 tasks") == true)
    let waiting = Task { try await clock.waitForSleepers(2, within: .seconds(1800)) }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    clock.advance(by: .seconds(1))
    try await sleeping.value
    try await clock.waitForSleepers(0, within: .seconds(1800))
  }

  @Test func `run wakes the tasks that sleep`() async throws {
    let clock = clock
    let sleeping = Task { try await clock.sleep(for: .seconds(60)) }
    try await clock.waitForSleepers(1, within: .seconds(1800))
    try clock.run()
    try await sleeping.value
    #expect(clock.now == 60_000)
  }
}
