import Fanout
import FanoutTestSupport
import Testing

/// A call that cannot be honoured, and the message that stops the program.
private enum Misuse: String, CaseIterable, Codable, Sendable {
  case negativeBuffer, noPublishers, negativePrefix, negativeDrop, negativeRange, noTasks
  case negativeTasks, emptyReplay, negativeReplay, noBacklog, negativeDemand, notANumber
  case negativeWait, noBatch, noInterval, noRepetition, negativeGrace, headedHistory
  case conflatedHistory, lookingKey, lookingState, noState

  /// The call, with its argument.
  var call: String {
    switch self {
    case .negativeBuffer: "buffer(size: -1)"
    case .noPublishers: "flatMap(maxPublishers: .none)"
    case .negativePrefix: "prefix(-1)"
    case .negativeDrop: "dropFirst(-1)"
    case .negativeRange: "output(in: -1..<1)"
    case .noTasks: "asyncMap(maxConcurrent: 0)"
    case .negativeTasks: "asyncMap(maxConcurrent: -1)"
    case .emptyReplay: "Replay.last(0)"
    case .negativeReplay: "Replay.last(-1)"
    case .noBacklog: "Backlog.size(0)"
    case .negativeDemand: "Subscribers.Demand.max(-1)"
    case .notANumber: "seconds(nan)"
    case .negativeWait: "waitForValues(-1)"
    case .noBatch: "batches(upTo: 0)"
    case .noInterval: "ticks(every: \(TestScheduler.SchedulerTimeType.Stride.seconds(0)))"
    case .noRepetition: "schedule(interval: \(Duration.zero))"
    case .negativeGrace: "whenIdle(for: \(Duration.seconds(-1)))"
    case .headedHistory, .conflatedHistory: "joining(after:from:)"
    case .lookingKey: "SharedByKey"
    case .lookingState: "Broadcast(reducingInto:)"
    case .noState: "Broadcast.state"
    }
  }

  /// The advice in the message.
  var advice: String {
    switch self {
    case .negativeBuffer, .negativePrefix, .negativeDrop, .negativeDemand, .negativeWait,
      .negativeGrace:
      "pass 0 or more"
    case .noPublishers: "pass .max(1) or more"
    case .negativeRange: "begins at 0 or later"
    case .noTasks, .negativeTasks, .noBacklog, .noBatch: "pass 1 or more"
    case .noInterval, .noRepetition: "pass more than 0"
    case .headedHistory: "share without headed(by:)"
    case .conflatedHistory: "pass a backlog that drops or rejoins"
    case .emptyReplay, .negativeReplay: "use .none"
    case .notANumber: "needs a number of seconds"
    case .lookingKey: "compare and hash the key alone"
    case .lookingState: "change the state alone"
    case .noState: "make the broadcast with Broadcast(reducingInto:)"
    }
  }

  func commit() async throws {
    let just = Just(1)
    switch self {
    case .negativeBuffer: _ = just.buffer(size: -1, prefetch: .keepFull, whenFull: .dropNewest)
    case .noPublishers: _ = just.flatMap(maxPublishers: .none) { Just($0) }
    case .negativePrefix: _ = just.prefix(-1)
    case .negativeDrop: _ = just.dropFirst(-1)
    case .negativeRange: _ = Publishers.Output(upstream: just, range: -1..<1)
    case .noTasks: _ = just.asyncMap(maxConcurrent: 0) { $0 }
    case .negativeTasks: _ = just.asyncMap(maxConcurrent: -1) { $0 }
    case .emptyReplay: _ = Replay<Int>.last(0)
    case .negativeReplay: _ = Replay<Int>.last(-1)
    case .noBacklog:
      _ = just.share().values.joining(backlog: .size(0, whenFull: .dropOldest)).makeAsyncIterator()
    case .negativeDemand: _ = Subscribers.Demand.max(-1)
    case .notANumber: _ = TestScheduler.SchedulerTimeType.Stride.seconds(.nan)
    case .negativeWait: _ = try await just.record().waitForValues(-1)
    case .noBatch: _ = just.share().values.batches(upTo: 0)
    case .noInterval: _ = TestScheduler().ticks(every: .seconds(0))
    case .noRepetition:
      let scheduler = ContinuousClock().scheduler
      _ = scheduler.schedule(after: scheduler.now, interval: 0) {}
    case .lookingKey:
      let shares = Shared<SharedByKey<LookingKey, Just<Int>>?>(nil)
      shares.value = SharedByKey(disconnect: .whenReleased) { _ in Just(1) }
      for _ in 1...2 { _ = shares.value?[LookingKey(shares: shares)].replayed }
    case .lookingState:
      let list = Shared<Broadcast<StateUpdate<Int, Int>, Never>?>(nil)
      list.value = Broadcast(reducingInto: 0) { $0 += $1 + (list.value?.state ?? 0) }
      list.value?.yield(1)
    case .noState: _ = Broadcast<StateUpdate<Int, Int>, Never>().state
    case .negativeGrace: _ = Disconnect.whenIdle(for: .seconds(-1))
    case .headedHistory:
      let headed = just.share(replay: .latest.headed(by: { $0 > 0 ? 0 : nil }))
      _ = headed.joining(after: 0, from: History(by: \.self) { _ in [] })
    case .conflatedHistory:
      let conflated = just.share(backlog: .size(1, whenFull: .conflate { $1 }))
      _ = conflated.joining(after: 0, from: History(by: \.self) { _ in [] })
    }
  }
}

struct MisuseMessageTests {
  @Test(arguments: Misuse.allCases)
  fileprivate func `a misuse traps and says what to do, in release builds too`(
    misuse: Misuse
  ) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [misuse = misuse as Misuse] in
      try await misuse.commit()
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("\(misuse.call): "))
    #expect(message.contains(misuse.advice))
  }

  @Test func `one value is expected in the singular`() async throws {
    let recorder = PassthroughSubject<Int, Never>().record()
    await #expect {
      _ = try await recorder.waitForValues(1, within: .zero)
    } throws: { error in
      "\(error)".contains("Expected 1 value, which")
    }
  }
}

/// A key that looks, while it is compared or hashed, at the object that compares it.
private struct LookingKey: Hashable, Sendable {
  let shares: Shared<SharedByKey<LookingKey, Just<Int>>?>

  static func == (left: Self, right: Self) -> Bool { left.shares === right.shares }

  func hash(into hasher: inout Hasher) { hasher.combine(shares.value?.keys.count) }
}
