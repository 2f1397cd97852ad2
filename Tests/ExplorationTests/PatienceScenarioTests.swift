// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutLifetime
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>
  private typealias Told = TestSubscriber<Delivery<Int>, NumberedError>
  private typealias WhenFull = Backlog<Int, NumberedError>.WhenFull

  /// A share that waits for a while, with a subscriber that takes all and one that has taken nothing: one value waits.
  private final class Room: @unchecked Sendable {
    let source = ExploredSource()
    let timer = ActionList()
    let told = Told(initialDemand: .none)
    private let taking = Target(demand: .unlimited)
    private var sent = 0
    /// What the share's upstream holds.
    private var token: Token?
    private let watch: WeakReference

    init(then other: WhenFull) {
      let token = Token()
      self.token = token
      watch = WeakReference(token)
      let shared = source.map { [token] value in withExtendedLifetime(token) { value } }
        .share(backlog: .size(1, whenFull: .wait(atMost: 9, scheduler: timer, then: other)))
      taking.subscribe(to: shared)
      shared.deliveries().subscribe(told)
      // What tells it that it has caught up takes one, so that the next request is for the value.
      told.request(.max(1))
      send()
    }

    /// Sends a value, if it was requested; returns whether it was.
    @discardableResult
    func send() -> Bool {
      guard source.send(sent) else { return false }
      sent += 1
      return true
    }

    func problems(hasEnded: Bool = false, isCancelled: Bool = false) -> String? {
      var mistakes: [String] = []
      if !hasEnded {
        // Whatever has happened, the stuck subscriber holds nobody back for longer than the time.
        for _ in 0..<3 where !send() {
          while timer.run() {}
          if !send() { mistakes.append("stuck after \(sent) values") }
        }
      }
      if !isCancelled { told.request(.unlimited) }
      let all = Array(0..<sent)
      let walk = DeliveryWalk(told.values, in: all)
      if !walk.isRight { mistakes.append("not in its place: \(told.values)") }
      if told.values.first != .caughtUp { mistakes.append("not caught up: \(told.values)") }
      let hasFailed = told.completion == .failure(NumberedError())
      if !isCancelled, !hasFailed, walk.missed + walk.arrived != sent {
        mistakes.append("not all told: \(told.values)")
      }
      if hasEnded, !isCancelled, told.completion == nil { mistakes.append("not ended") }
      if isCancelled || hasEnded { mistakes += heldAfter() }
      told.cancel()
      return (mistakes + [taking.problems([], ("all", taking.values == all))].compactMap { $0 })
        .nonEmptyText
    }

    /// Lets everybody go, and returns what is held nevertheless, also while actions are scheduled.
    private func heldAfter() -> [String] {
      told.cancel()
      taking.leave()
      token = nil
      defer { while timer.run() {} }
      return watch.isAlive ? ["the share is held"] : []
    }
  }

  /// A share that waits for a while, with a subscriber that takes all and a loop for which one value waits.
  private final class LoopRoom: @unchecked Sendable {
    let source = ExploredSource()
    let timer = ActionList()
    let tasks = ExploredTasks()
    private let taking = Target(demand: .unlimited)
    private var iterator: SharedDeliveries<Int, NumberedError>.Iterator?
    private let cancelIterator: () -> Void
    private var sent = 0
    private var events: [Delivery<Int>] = []
    private var hasEnded = false
    private var hasFailed = false

    init(then other: WhenFull) {
      let shared = source.share(
        backlog: .size(1, whenFull: .wait(atMost: 9, scheduler: timer, then: other)))
      taking.subscribe(to: shared)
      let iterator = shared.values.deliveries().makeAsyncIterator()
      self.iterator = iterator
      cancelIterator = { iterator.cursor?.cancel() }
      send()
    }

    @discardableResult
    func send() -> Bool {
      tasks.here {
        guard source.send(sent) else { return false }
        sent += 1
        return true
      }
    }

    func endTime() { tasks.here { _ = timer.run() } }

    func finish() { tasks.here { source.end() } }

    func cancel() { tasks.here { cancelIterator() } }

    /// Lets a task take a number of events.
    func start(_ turns: Int) {
      nonisolated(unsafe) var iterator = iterator.take()
      Task(executorPreference: tasks) {
        for _ in 0..<turns where !self.hasEnded {
          do {
            if let event = try await iterator?.next(isolation: nil) {
              self.events.append(event)
            } else {
              self.hasEnded = true
            }
          } catch {
            self.hasEnded = true
            self.hasFailed = true
          }
        }
        self.iterator = iterator
      }
    }

    func problems(isCancelled: Bool = false, isFinished: Bool = false) -> String? {
      var mistakes: [String] = []
      tasks.runAll()
      if !isFinished {
        // Whatever has happened, the loop holds nobody back for longer than the time.
        for _ in 0..<3 where !send() {
          while timer.run() {}
          tasks.runAll()
          if !send() { mistakes.append("stuck after \(sent) values") }
        }
        finish()
      }
      tasks.runAll()
      start(20)
      tasks.runAll()
      let all = Array(0..<sent)
      let walk = DeliveryWalk(events, in: all)
      if !walk.isRight { mistakes.append("not in its place: \(events)") }
      if !isCancelled, !hasFailed, walk.missed + walk.arrived != sent {
        mistakes.append("not all told: \(events)")
      }
      if !hasEnded { mistakes.append("not ended") }
      if source.isLive { mistakes.append("the upstream is held") }
      while timer.run() {}
      return (mistakes + [taking.problems([], ("all", taking.values == all))].compactMap { $0 })
        .nonEmptyText
    }
  }

  /// A wait whose time is over on one thread, while others request, cancel, send and end.
  @Suite(.serialized)
  struct PatienceScenarioTests {
    private static let others: [(name: String, then: WhenFull)] = [
      ("oldest", .dropOldest), ("newest", .dropNewest),
      ("fail", .customError { NumberedError() }), ("rejoin", .rejoin),
    ]

    /// The names of one that drops and one that ends, or of all in a search.
    private static let some = Exploration.isSearch ? others.map(\.name) : ["oldest", "fail"]

    private func exploreAll(
      _ what: String, then names: [String] = Self.some,
      hasEnded: Bool = false, isCancelled: Bool = false,
      _ threads: @escaping @Sendable (Room) -> [@Sendable () -> Void]
    ) {
      for (name, other) in Self.others where names.contains(name) {
        explore("wait, then \(name): \(what)") {
          let room = Room(then: other)
          return Scenario(threads: threads(room)) {
            room.problems(hasEnded: hasEnded, isCancelled: isCancelled)
          }
        }
      }
    }

    @Test func `B6 D7 explored: the end of a wait against a request and values`() {
      exploreAll("time|request|send;send") { room in
        [
          { room.timer.run() }, { room.told.request(.max(1)) },
          {
            room.send()
            room.send()
          },
        ]
      }
    }

    @Test func `B6 O2 explored: the end of a wait against a cancel and a value`() {
      exploreAll("time|cancel|send", then: ["oldest", "rejoin"], isCancelled: true) { room in
        [{ room.timer.run() }, { room.told.cancel() }, { room.send() }]
      }
    }

    @Test func `B6 D9 explored: the end of a wait against a request and the end of the upstream`() {
      let names = Exploration.isSearch ? ["oldest", "fail"] : ["fail"]
      exploreAll("time|request|send;finish", then: names, hasEnded: true) { room in
        [
          { room.timer.run() }, { room.told.request(.max(1)) },
          {
            room.send()
            room.source.end()
          },
        ]
      }
    }

    @Test func `B6 O2 explored: the end of a wait against a cancel and the end of the upstream`() {
      exploreAll("time|cancel|finish", then: ["oldest"], hasEnded: true, isCancelled: true) {
        room in
        [{ room.timer.run() }, { room.told.cancel() }, { room.source.end() }]
      }
    }

    @Test func `B6 explored: the end of a wait against the end of the next one`() {
      exploreAll("time|request;send;time") { room in
        [
          { room.timer.run() },
          {
            room.told.request(.max(1))
            room.send()
            room.timer.run()
          },
        ]
      }
    }

    @Test(arguments: Self.some)
    func `B6 D7 explored: the end of a wait for a loop that fetches, against turns and values`(
      name: String
    ) {
      exploreLoop("time|next|send;send", then: name) { room in
        room.start(2)
        return [
          { room.endTime() }, room.tasks.runner(2),
          {
            room.send()
            room.send()
          },
        ]
      } check: {
        $0.problems()
      }
    }

    @Test(arguments: ["oldest", "rejoin"])
    func `B6 O2 explored: the end of a wait for a loop that fetches, against a cancel and a value`(
      name: String
    ) {
      exploreLoop("time|cancel|send", then: name) { room in
        [{ room.endTime() }, { room.cancel() }, { room.send() }]
      } check: {
        $0.problems(isCancelled: true)
      }
    }

    @Test(arguments: ["oldest", "fail"])
    func `B6 D9 explored: the end of a wait for a loop that fetches, against the end`(
      name: String
    ) {
      exploreLoop("time|next|send;finish", then: name) { room in
        room.start(2)
        return [
          { room.endTime() }, room.tasks.runner(2),
          {
            room.send()
            room.finish()
          },
        ]
      } check: {
        $0.problems(isFinished: true)
      }
    }

    private func exploreLoop(
      _ what: String, then name: String,
      _ threads: @escaping @Sendable (LoopRoom) -> [@Sendable () -> Void],
      check: @escaping @Sendable (LoopRoom) -> String?
    ) {
      for (known, other) in Self.others where known == name {
        explore("wait for a loop, then \(name): \(what)") {
          let room = LoopRoom(then: other)
          return Scenario(threads: threads(room)) { check(room) }
        }
      }
    }
  }
#endif
