// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>
  private typealias Told = TestSubscriber<Delivery<Int>, NumberedError>

  /// A share that remembers one value, with a subscriber that keeps it connected and one that is told its deliveries.
  private final class Room: @unchecked Sendable {
    let source = ExploredSource()
    let keeping = Target(demand: .unlimited)
    let told = Told(initialDemand: .none)
    let shared: Publishers.Share<ExploredSource>
    private var begun = 1
    private var done = 1
    private var mistakes: [String] = []

    /// Makes a room in which 0 has been sent.
    init() {
      shared = source.share(replay: .last(1))
      keeping.subscribe(to: shared)
      source.send(0)
      shared.joining(backlog: .size(1, whenFull: .dropOldest)).deliveries().subscribe(told)
    }

    /// Sends the numbers from 1 on.
    func send(_ numbers: ClosedRange<Int>) {
      for number in numbers {
        begun += 1
        source.send(number)
        done += 1
      }
    }

    func readReplayed() {
      let least = done
      let replayed = shared.replayed
      // The newest value accepted by a moment during the read.
      if !(least...begun).map({ [$0 - 1] }).contains(replayed) {
        mistakes.append("\(replayed) after \(least) to \(begun) values")
      }
    }

    func readStatus() {
      let status = shared.status
      let isRight =
        status.isConnected && !status.isEnded && status.cached == 1
        && status.subscribers.allSatisfy {
          // The replay, which is owed and does not count, and one value behind it.
          (0...2).contains($0.waiting) && (0...2).contains($0.missed) && $0.rejoins == 0
        }
      if !isRight { mistakes.append("\(status)") }
    }

    /// The problems of the values and of what was read, besides those that a scenario expects to be absent.
    func problems(_ expected: (what: String, isTrue: Bool)...) -> String? {
      let isRight = DeliveryWalk(told.values, in: Array(0..<done)).isRight
      for case (let what, false) in expected { mistakes.append("not \(what)") }
      if !isRight { mistakes.append("not in its place: \(told.values)") }
      told.cancel()
      return (mistakes + [keeping.problems([])].compactMap { $0 }).nonEmptyText
    }
  }

  /// What is told of a shared publisher while others use it.
  @Suite(.serialized)
  struct StatusScenarioTests {
    @Test func `B1 B5 explored: a look at the accounts beside sends and a request`() {
      explore("status: send;send|request|status") {
        let room = Room()
        return Scenario(threads: [
          { room.send(1...2) }, { room.told.request(.max(2)) }, { room.readStatus() },
        ]) {
          let before = room.shared.status.subscribers
          let arrived = DeliveryWalk(room.told.values, in: [0, 1, 2]).arrived
          let isExact = before.map { $0.waiting + $0.missed } == [0, 3 - arrived]
          room.told.request(.unlimited)
          let walk = DeliveryWalk(room.told.values, in: [0, 1, 2])
          return room.problems(
            ("all accounted for: \(before)", isExact),
            ("all told: \(room.told.values)", walk.missed + walk.arrived == 3))
        }
      }
    }

    @Test func `B5 D7 explored: a look at the accounts beside a send and a cancel`() {
      explore("status: send|cancel|status;status") {
        let room = Room()
        room.told.request(.max(1))
        return Scenario(threads: [
          { room.send(1...1) }, { room.told.cancel() },
          {
            room.readStatus()
            room.readStatus()
          },
        ]) {
          room.problems(("no account of who has left", room.shared.status.subscribers.count == 1))
        }
      }
    }

    @Test func `B5 D7 explored: a look at the replay beside sends and a cancel`() {
      explore("status: send;send|cancel|replayed") {
        let room = Room()
        room.told.request(.unlimited)
        return Scenario(threads: [
          { room.send(1...2) }, { room.told.cancel() }, { room.readReplayed() },
        ]) { room.problems() }
      }
    }

    @Test func `D11 explored: the number of subscribers beside a join, a cancel and a send`() {
      explore("count: cancel;send|subscribe;count") {
        let room = Room()
        let comes = Target(demand: .unlimited)
        nonisolated(unsafe) var counts: [Int] = []
        nonisolated(unsafe) var watching: AnyCancellable?
        return Scenario(threads: [
          {
            room.told.cancel()
            room.send(1...1)
          },
          {
            comes.subscribe(to: room.shared)
            watching = room.shared.subscriberCount.sink { counts.append($0) }
          },
        ]) {
          let isNew = zip(counts, counts.dropFirst()).allSatisfy { $0 != $1 }
          let isPossible = counts.dropFirst().allSatisfy { (1...3).contains($0) }
          let last = counts.last
          comes.leave()
          let isLive = counts.last == 1
          watching?.cancel()
          return room.problems(
            ("the number of this moment last: \(counts)", last == 2 && isLive),
            ("numbers that there were: \(counts)", isNew && isPossible))
        }
      }
    }
  }
#endif
