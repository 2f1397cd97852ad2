// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// A source over its limit, which is asked for a start every second.
  private final class Room: @unchecked Sendable {
    let source = TestPublisher<Int, NumberedError>()
    let clock = TestScheduler()
    private(set) var asked = 0
    private let point = Lock(0)
    let keeping = Target(demand: .unlimited)

    private let fromBeginning: Bool

    /// Tens are keyframes.
    private(set) lazy var shared = source.share(
      replay: .sinceKeyframe(limit: .count(1), fromBeginning: fromBeginning) { $0 % 10 == 0 }
        .requesting(every: .seconds(1), scheduler: clock) { [unowned self] in
          // An explored thread may be interrupted here.
          point.withLock { $0 += 1 }
          asked += 1
        })

    init(fromBeginning: Bool = true) {
      self.fromBeginning = fromBeginning
      keeping.subscribe(to: shared)
      source.send(10)
      source.send(11)
    }

    func subscribe() -> Target {
      let target = Target(demand: .unlimited)
      target.subscribe(to: shared)
      return target
    }

    func tick() { clock.advance(by: .seconds(1)) }

    /// The number of requests in each of the next seconds.
    func requestsOfTwoSeconds() -> [Int] {
      (1...2).map { _ in
        let before = asked
        tick()
        return asked - before
      }
    }

    func problems(_ target: Target, _ expected: (what: String, isTrue: Bool)...) -> String? {
      defer { keeping.leave() }
      let wrong = expected.filter { !$0.isTrue }.map { "not \($0.what), asked \(asked) times" }
      return (wrong + [target.problems([])].compactMap { $0 }).nonEmptyText
    }
  }

  @Suite(.serialized)
  struct StartRequestScenarioTests {
    @Test func `B4 explored: a newcomer waits for a start against the keyframe and the clock`() {
      explore("requests: subscribe|send 20|a second") {
        let room = Room()
        let newcomer = Target(demand: .unlimited)
        return Scenario(threads: [
          { newcomer.subscribe(to: room.shared) }, { room.source.send(20) }, { room.tick() },
        ]) {
          let asked = room.asked
          return room.problems(
            newcomer, ("a start", newcomer.values == [20]), ("at most two requests", asked <= 2),
            ("none after the start", room.requestsOfTwoSeconds() == [0, 0]))
        }
      }
    }

    @Test func `B4 D7 explored: the keyframe against a cancel of who waits and the clock`() {
      explore("requests: send 20|cancel|a second") {
        let room = Room()
        let waiting = room.subscribe()
        return Scenario(threads: [
          { room.source.send(20) }, { waiting.cancel() }, { room.tick() },
        ]) {
          let asked = room.asked
          return room.problems(
            waiting, ("a start or nothing", [[], [20]].contains(waiting.values)),
            ("one or two requests", asked == 1 || asked == 2),
            ("none when nobody waits", room.requestsOfTwoSeconds() == [0, 0]))
        }
      }
    }

    @Test func `B4 explored: one stops waiting while another begins to`() {
      explore("requests: cancel|subscribe|a second") {
        let room = Room()
        let (leaves, comes) = (room.subscribe(), Target(demand: .unlimited))
        return Scenario(threads: [
          { leaves.cancel() }, { comes.subscribe(to: room.shared) }, { room.tick() },
        ]) {
          // No wake-up is lost, and none is doubled. An action that was scheduled while the clock went on runs late.
          let requests = room.requestsOfTwoSeconds()
          room.source.send(20)
          return room.problems(
            comes, ("one request a second: \(requests)", [[1, 1], [2, 1]].contains(requests)),
            ("the start", comes.values == [20]),
            ("none after the start", room.requestsOfTwoSeconds() == [0, 0]))
        }
      }
    }

    @Test func `B4 explored: over the limit again while one joins`() {
      explore("requests: send 20;21|subscribe") {
        let room = Room()
        let (waiting, comes) = (room.subscribe(), Target(demand: .unlimited))
        return Scenario(threads: [
          { [20, 21].forEach { room.source.send($0) } }, { comes.subscribe(to: room.shared) },
        ]) {
          let isWaiting = comes.values.isEmpty
          let requests = room.requestsOfTwoSeconds()
          room.source.send(30)
          let known = isWaiting ? [30] : [20, 21, 30]
          return room.problems(
            comes, ("requests while it waits", requests == (isWaiting ? [1, 1] : [0, 0])),
            ("a start", comes.values == known), ("the first one's", waiting.values == [20, 21, 30]))
        }
      }
    }

    @Test func `B4 explored: viewers that come and go, against the clock`() {
      explore("requests: subscribe;cancel|subscribe;cancel|a second") {
        let room = Room()
        let viewers = [Target(demand: .unlimited), Target(demand: .unlimited)]
        let visits = viewers.map { viewer -> @Sendable () -> Void in
          {
            viewer.subscribe(to: room.shared)
            viewer.leave()
          }
        }
        return Scenario(threads: visits + [{ room.tick() }]) {
          let asked = room.asked
          return room.problems(
            viewers[0], ("one request, or two in two seconds", (1...2).contains(asked)),
            ("one action at most", room.clock.scheduledCount <= 1),
            ("none when nobody waits", room.requestsOfTwoSeconds() == [0, 0]))
        }
      }
    }

    @Test(arguments: [false, true])
    func `B4 explored: a viewer that lags takes values, against the keyframe and the clock`(
      isLoop: Bool
    ) {
      explore("requests: take;take;take|send 20|a second, \(isLoop ? "loop" : "subscriber")") {
        let (source, clock) = (TestPublisher<Int, NumberedError>(), TestScheduler())
        let asked = Shared(0)
        let shared = source.share(
          replay: .sinceKeyframe { $0 % 10 == 0 }
            .requesting(every: .seconds(1), scheduler: clock) { asked.increment() })
        let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
        source.send(10)
        let lagging = shared.joining(backlog: .size(1, whenFull: .rejoin))
        let slow = TestSubscriber<Int, NumberedError>(initialDemand: .none)
        let cursor = isLoop ? lagging.values.makeAsyncIterator().cursor : nil
        if !isLoop { lagging.subscribe(slow) }
        for value in 11...12 { source.send(value) }
        let isAsked = asked.value == 1
        let take: @Sendable () -> Void = {
          if isLoop { _ = cursor?.fetch() } else { slow.request(.max(1)) }
        }
        return Scenario(threads: [
          { for _ in 1...3 { take() } }, { source.send(20) }, { clock.advance(by: .seconds(1)) },
        ]) {
          let before = asked.value
          clock.advance(by: .seconds(2))
          let isQuiet = asked.value == before && clock.scheduledCount == 0
          // A subscriber may have requested three that it has not got.
          for value in 21...25 { source.send(value) }
          let isAskedAgain = asked.value == before + 1
          keeping.cancel()
          slow.cancel()
          cursor?.cancel()
          return isAsked && before <= 2 && isQuiet && isAskedAgain
            ? nil : "asked: \(isAsked), \(before), \(asked.value); quiet: \(isQuiet)"
        }
      }
    }

    @Test func `B4 L9 explored: a new connection against a newcomer that waits`() {
      explore("requests: reconnect|subscribe") {
        let room = Room(fromBeginning: false)
        let comes = Target(demand: .unlimited)
        return Scenario(threads: [
          { room.shared.reconnect() }, { comes.subscribe(to: room.shared) },
        ]) {
          let requests = room.requestsOfTwoSeconds()
          [12, 20].forEach { room.source.send($0) }
          return room.problems(
            comes, ("one request a second: \(requests)", requests == [1, 1]),
            ("a start in the new connection", comes.values == [20]),
            ("none after the start", room.requestsOfTwoSeconds() == [0, 0]))
        }
      }
    }
  }
#endif
