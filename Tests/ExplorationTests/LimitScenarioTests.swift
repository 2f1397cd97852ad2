// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias WhenFull = Backlog<Int, NumberedError>.WhenFull

  /// A share whose backlogs have a limit of the number and of the cost, and a loop over its deliveries.
  ///
  /// The last digit of a value is its cost, the one in front of it its key.
  private final class Room: @unchecked Sendable {
    private typealias Events = SharedDeliveries<Int, NumberedError>

    static let mostCost = 3

    let source = ExploredSource()
    let tasks = ExploredTasks()
    private let whenFull: WhenFull
    private var iterator: Events.Iterator?
    private let cancelIterator: () -> Void
    private var isCancelled = false
    private let shared: SharedSequence<Int, NumberedError>
    private var sink: AnyCancellable?
    private(set) var sent: [Int] = []
    private(set) var events: [Delivery<Int>] = []
    /// The ends that the loop was told of: `nil` or a failure.
    private(set) var ends: [String] = []
    private(set) var mistakes: [String] = []

    init(_ whenFull: WhenFull, isMeasured: Bool, size: Int) {
      self.whenFull = whenFull
      let shared = source.share(
        backlog: isMeasured
          ? .limit(.count(2), .cost(Self.mostCost) { $0 % 10 }, whenFull: whenFull)
          : .size(size, whenFull: whenFull)
      ).values
      self.shared = shared
      let iterator = shared.deliveries().makeAsyncIterator()
      self.iterator = iterator
      cancelIterator = {
        iterator.cursor?.cancel()
        iterator.requests?.subscriber.cancel()
      }
    }

    /// Adds a sink, which joins as the holder of the drain.
    func addSink() {
      sink = shared.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }

    /// Sends a value, if it was requested.
    func send(_ value: Int) { tasks.here { if source.send(value) { sent.append(value) } } }

    func end(_ completion: Subscribers.Completion<NumberedError>) {
      tasks.here { source.end(completion) }
    }

    func cancel() {
      tasks.here { cancelIterator() }
      isCancelled = true
    }

    /// Lets a task take a number of turns.
    func start(_ turns: Int) {
      nonisolated(unsafe) var iterator = iterator.take()
      Task(executorPreference: tasks) {
        for _ in 0..<turns where self.ends.isEmpty {
          let isLate = self.isCancelled
          do {
            if let event = try await iterator?.next(isolation: nil) {
              self.events.append(event)
              if isLate { self.mistakes.append("\(event) behind the cancel") }
            } else {
              self.ends.append("nil")
            }
          } catch {
            self.ends.append("\(error)")
          }
        }
        self.iterator = iterator
      }
    }

    private var values: [Int] {
      events.compactMap {
        switch $0 {
        case .replayed(let value), .live(let value): value
        case .caughtUp, .missed: nil
        }
      }
    }

    /// Lets the loop take what waits, and returns the values that did.
    private func takeRest() -> [Int] {
      tasks.runAll()
      let known = values.count
      start(20)
      tasks.runAll()
      return Array(values.dropFirst(known))
    }

    /// Returns the problems of a loop that was not cancelled and has got its end.
    func problems(hasBound: Bool, isConflated: Bool = false, end: String) -> String? {
      let rest = takeRest()
      let cost = rest.reduce(0) { $0 + $1 % 10 }
      // An answered call may have one value more.
      if hasBound, rest.count > 3 || cost > Self.mostCost + (rest.first ?? 0) % 10 {
        mistakes.append("too much waited: \(rest)")
      }
      if ends.first != end { mistakes.append("ends \(ends)") }
      if isConflated {
        noteConflation()
      } else {
        noteAccount(isWhole: end != "\(NumberedError(9))")
      }
      return text
    }

    /// Returns the problems of a loop that was cancelled.
    func problemsAfterCancel(isConflated: Bool = false) -> String? {
      _ = takeRest()
      if source.isLive { mistakes.append("the upstream is held") }
      if ends.first != "nil" { mistakes.append("ends \(ends)") }
      if isConflated { noteOrder() } else { noteAccount(isWhole: false) }
      return text
    }

    /// Returns the problems of a share that waits, whose loop has taken everything.
    func problemsOfWait() -> String? {
      _ = takeRest()
      let before = sent.count
      send(51)
      tasks.runAll()
      if sent.count != before + 1 { mistakes.append("the upstream is not asked for more") }
      end(.finished)
      _ = takeRest()
      if values != sent { mistakes.append("not all came") }
      if ends.first != "nil" { mistakes.append("ends \(ends)") }
      return text
    }

    private func noteAccount(isWhole: Bool) {
      let walk = DeliveryWalk(events, in: sent)
      if !walk.isRight || isWhole && walk.arrived + walk.missed != sent.count {
        mistakes.append("a wrong account")
      }
    }

    private func noteOrder() {
      for key in Set(values.map { $0 / 10 }) {
        let places = values.filter { $0 / 10 == key }.map { sent.firstIndex(of: $0) ?? -1 }
        if places != places.sorted() { mistakes.append("an older value of \(key) came later") }
      }
    }

    /// Notes a problem unless the newest value of each key has come, and nothing is told as missed.
    private func noteConflation() {
      noteOrder()
      for key in Set(sent.map { $0 / 10 }) {
        let isThere = sent.last { $0 / 10 == key } == values.last { $0 / 10 == key }
        if !isThere { mistakes.append("the newest value of \(key) is lost") }
      }
      let isMissed = events.contains { if case .missed = $0 { true } else { false } }
      if isMissed { mistakes.append("told as missed") }
    }

    private var text: String? {
      mistakes.isEmpty ? nil : "\(mistakes.joined(separator: "; ")): \(events) of \(sent)"
    }
  }

  /// Backlogs with limits, against values, turns of a loop, a cancel and the end.
  @Suite(.serialized)
  struct LimitScenarioTests {
    /// The second value of key 1 makes the backlog too costly, the last one makes it too long.
    private static let costs = [11, 22, 12, 31]

    private func explore(
      _ what: String, _ whenFull: WhenFull, isMeasured: Bool = true, size: Int = 1,
      _ threads: @escaping (Room) -> [@Sendable () -> Void], check: @escaping (Room) -> String?
    ) {
      ExplorationTests.explore("limit: \(what)") {
        let room = Room(whenFull, isMeasured: isMeasured, size: size)
        room.start(3)
        return Scenario(threads: threads(room)) { check(room) }
      }
    }

    private func sends(_ room: Room) -> @Sendable () -> Void {
      { for value in Self.costs.prefix(3) { room.send(value) } }
    }

    private func ends(
      _ room: Room, _ completion: Subscribers.Completion<NumberedError> = .finished
    ) -> @Sendable () -> Void {
      {
        for value in Self.costs { room.send(value) }
        room.end(completion)
      }
    }

    @Test(arguments: ["oldest", "newest"])
    func `B1 B3 B5 explored: a loop within limits, against values and the end`(name: String) {
      let whenFull: WhenFull = name == "oldest" ? .dropOldest : .dropNewest
      explore("next;next;next|send;send;send;send;finish, \(name)", whenFull) { room in
        [room.tasks.runner(4), ends(room)]
      } check: {
        $0.problems(hasBound: true, end: "nil")
      }
    }

    @Test(arguments: ["oldest", "newest"])
    func `B3 D7 explored: a loop within limits, against values and a cancel`(name: String) {
      let whenFull: WhenFull = name == "oldest" ? .dropOldest : .dropNewest
      explore("next;next|send;send|cancel, \(name)", whenFull) { room in
        [
          room.tasks.runner(3),
          {
            // The second one makes the backlog too costly.
            room.send(22)
            room.send(12)
          }, { room.cancel() },
        ]
      } check: {
        $0.problemsAfterCancel()
      }
    }

    @Test func `B3 D9 explored: a loop that fails beyond its limits, against values and the end`() {
      explore("next;next;next|send;send;send;send;fail", .customError { NumberedError(9) }) {
        room in
        [room.tasks.runner(4), ends(room, .failure(NumberedError(5)))]
      } check: { room in
        room.tasks.runAll()
        let own = "\(NumberedError(9))"
        room.start(20)
        room.tasks.runAll()
        let isOwn = room.ends.first == own
        return room.problems(hasBound: true, end: isOwn ? own : "\(NumberedError(5))")
      }
    }

    @Test func `B3 D9 explored: a loop that conflates, against values and the end`() {
      explore("next;next;next|send;send;send;send;finish, conflate", .conflate { $0 / 10 }) {
        room in
        [room.tasks.runner(4), ends(room)]
      } check: {
        $0.problems(hasBound: false, isConflated: true, end: "nil")
      }
    }

    @Test func `B3 D7 explored: a loop that conflates, against values and a cancel`() {
      explore("next;next|send;send;send|cancel, conflate", .conflate { $0 / 10 }) { room in
        [room.tasks.runner(3), sends(room), { room.cancel() }]
      } check: {
        $0.problemsAfterCancel(isConflated: true)
      }
    }

    @Test func `B3 explored: a loop that fetches what is conflated, against values of two threads`()
    {
      explore("next;next|send;send;send|send;send, fetch", .conflate { $0 / 10 }, isMeasured: false)
      {
        room in
        [
          room.tasks.runner(3), sends(room),
          {
            room.send(31)
            room.send(32)
          },
        ]
      } check: {
        $0.end(.finished)
        return $0.problems(hasBound: false, isConflated: true, end: "nil")
      }
    }

    @Test func `B3 D9 explored: a loop that fetches what is conflated, against values and the end`()
    {
      explore(
        "next;next;next|send;send;send;send;finish, fetch", .conflate { $0 / 10 }, isMeasured: false
      ) { room in
        [room.tasks.runner(4), ends(room)]
      } check: {
        $0.problems(hasBound: false, isConflated: true, end: "nil")
      }
    }

    @Test
    func `B3 D7 explored: a loop that fetches what is conflated, against values and a cancel`() {
      explore("next;next|send;send;send|cancel, fetch", .conflate { $0 / 10 }, isMeasured: false) {
        room in
        [room.tasks.runner(3), sends(room), { room.cancel() }]
      } check: {
        $0.problemsAfterCancel(isConflated: true)
      }
    }

    @Test func `B6 D18 explored: a loop for which the upstream waits, against values`() {
      explore("next;next;next|send;send, wait", .wait) { room in
        [
          room.tasks.runner(4),
          {
            room.send(11)
            room.send(22)
          },
        ]
      } check: {
        $0.problemsOfWait()
      }
    }

    @Test func `B6 D18 explored: a loop that fetches is asked for more, beside a sink that comes`()
    {
      explore("next;next;next|send;send;send|sink, fetch", .wait, isMeasured: false, size: 4) {
        room in
        [
          room.tasks.runner(4),
          {
            room.send(11)
            room.send(22)
            room.send(31)
            room.send(41)
          }, { room.addSink() },
        ]
      } check: {
        $0.problemsOfWait()
      }
    }

    @Test func `B6 D9 explored: a loop for which the upstream waits, against values and the end`() {
      explore("next;next;next|send;send;fail, wait", .wait) { room in
        [
          room.tasks.runner(4),
          {
            room.send(11)
            room.send(22)
            room.end(.failure(NumberedError(5)))
          },
        ]
      } check: {
        $0.problems(hasBound: false, end: "\(NumberedError(5))")
      }
    }

    @Test func `B6 D7 explored: a loop for which the upstream waits, against values and a cancel`()
    {
      explore("next;next|send;send|cancel, wait", .wait) { room in
        [
          room.tasks.runner(3),
          {
            room.send(11)
            room.send(22)
          }, { room.cancel() },
        ]
      } check: {
        $0.problemsAfterCancel()
      }
    }
  }
#endif
