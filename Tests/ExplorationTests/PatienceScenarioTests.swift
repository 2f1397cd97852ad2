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

  /// A scheduler whose actions any thread runs, also several at a time.
  private final class ActionList: Scheduler, @unchecked Sendable {
    typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
    typealias SchedulerOptions = Never

    private let actions = Lock<[@Sendable () -> Void]>([])

    var now: SchedulerTimeType { 0 }
    var minimumTolerance: SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
      actions.withLock { $0.append(action) }
    }

    func schedule(
      after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
      _ action: @escaping @Sendable () -> Void
    ) { schedule(options: nil, action) }

    func schedule(
      after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
      tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping @Sendable () -> Void
    ) -> any Cancellable { AnyCancellable {} }

    /// Runs the oldest action; returns whether there was one.
    @discardableResult
    func run() -> Bool {
      let action = actions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      action?()
      return action != nil
    }
  }

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

  /// A wait whose time is over on one thread, while others request, cancel, send and end.
  @Suite(.serialized)
  struct PatienceScenarioTests {
    private static let others: [(name: String, then: WhenFull)] = [
      ("oldest", .dropOldest), ("newest", .dropNewest),
      ("fail", .customError { NumberedError() }), ("rejoin", .rejoin),
    ]

    private func exploreAll(
      _ what: String, then names: [String] = ["oldest", "newest", "fail", "rejoin"],
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
      exploreAll("time|request|send;finish", then: ["oldest", "fail"], hasEnded: true) { room in
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
  }
#endif
