import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Random values at random times, through each operator and through a few lines over arrays.
@Suite(.noLeaks) struct TimedModelTests {
  /// Values in the order of their times, and the time of the end.
  private struct Program {
    var values: [(time: Int, value: Int)] = []
    let end: Int
    let interval: Int

    init(seed: UInt64) {
      var generator = SeededChance(seed: seed)
      var time = 0
      interval = Int.random(in: 1...8, using: &generator)
      for value in 0..<Int.random(in: 0...20, using: &generator) {
        time += Int.random(in: 0...2, using: &generator) * Int.random(in: 0...6, using: &generator)
        values.append((time, value))
      }
      end = time + Int.random(in: 0...12, using: &generator)
    }

    var stride: TestScheduler.SchedulerTimeType.Stride { .milliseconds(interval) }
  }

  /// Returns the calls of the operator.
  private func calls<P: Publisher>(
    _ program: Program, _ make: (TestPublisher<Int, Broken>, TestScheduler) -> P
  ) -> [String] where P.Output: Sendable {
    let scene = TimedScene()
    scene.play(program.values, end: (program.end, .finished))
    return scene.calls(of: make(scene.upstream, scene.scheduler))
  }

  @Test(arguments: UInt64(0)..<200) func `debounce is its model`(seed: UInt64) {
    let program = Program(seed: seed)
    var expected: [String] = []
    for (index, (time, value)) in program.values.enumerated() {
      let due = time + program.interval
      let next = index + 1 < program.values.count ? program.values[index + 1].time : nil
      if let next, next < due { continue }
      expected.append("\(min(due, program.end)): \(value)")
    }
    expected.append("\(program.end): finished")
    #expect(calls(program) { $0.debounce(for: program.stride, scheduler: $1) } == expected)
  }

  @Test(arguments: UInt64(0)..<200, [true, false])
  func `throttle is its model`(seed: UInt64, latest: Bool) {
    let program = Program(seed: seed)
    var expected: [String] = []
    var earliest = 0
    var held: (due: Int, value: Int)?
    func deliver(before time: Int?) {
      guard let (due, value) = held, time.map({ due < $0 }) ?? true else { return }
      expected.append("\(due): \(value)")
      (held, earliest) = (nil, due + program.interval)
    }
    for (time, value) in program.values {
      deliver(before: time)
      if let kept = held {
        if latest { held = (kept.due, value) }
      } else {
        held = (max(time, earliest), value)
      }
    }
    let end = max(program.end, held?.due ?? 0)
    deliver(before: nil)
    expected.append("\(end): finished")
    let found = calls(program) { $0.throttle(for: program.stride, scheduler: $1, latest: latest) }
    #expect(found == expected)
  }

  @Test(arguments: UInt64(0)..<200) func `delay is its model`(seed: UInt64) {
    let program = Program(seed: seed)
    let expected =
      program.values.map { "\($0.time + program.interval): \($0.value)" }
      + ["\(program.end + program.interval): finished"]
    #expect(calls(program) { $0.delay(for: program.stride, scheduler: $1) } == expected)
  }

  @Test(arguments: UInt64(0)..<200) func `timeout is its model`(seed: UInt64) {
    let program = Program(seed: seed)
    var expected: [String] = []
    var due = program.interval
    for (time, value) in program.values where time <= due {
      expected.append("\(time): \(value)")
      due = time + program.interval
    }
    expected.append("\(min(due, program.end)): finished")
    #expect(calls(program) { $0.timeout(program.stride, scheduler: $1) } == expected)
  }

  @Test(arguments: UInt64(0)..<200, [1, 3, 1000])
  func `collect by time or count is its model`(seed: UInt64, count: Int) {
    let program = Program(seed: seed)
    var expected: [String] = []
    var group: [Int] = []
    var due = 0
    func deliver(at time: Int) {
      if !group.isEmpty { expected.append("\(time): \(group)") }
      group = []
    }
    for (time, value) in program.values {
      if due < time { deliver(at: due) }
      if group.isEmpty { due = (time / program.interval + 1) * program.interval }
      group.append(value)
      if group.count == count { deliver(at: time) }
    }
    deliver(at: min(due, program.end))
    expected.append("\(program.end): finished")
    let found = calls(program) {
      $0.collect(.byTimeOrCount($1, program.stride, count))
    }
    #expect(found == expected)
    guard count == 1000 else { return }
    #expect(calls(program) { $0.collect(.byTime($1, program.stride)) } == expected)
  }
}
