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

  /// A share with a subscriber that takes all and one that is stalled: four values have gone by it.
  private final class Room: @unchecked Sendable {
    let source = ExploredSource()
    let taking = Target(demand: .unlimited)
    let told = Told(initialDemand: .none)
    private let shared: Publishers.Share<ExploredSource>
    private var count = 0

    init(_ replay: Replay<Int>, _ backlog: Backlog<Int, NumberedError>) {
      shared = source.share(replay: replay)
      taking.subscribe(to: shared)
      shared.joining(backlog: backlog).deliveries().subscribe(told)
      send(4)
    }

    func send(_ number: Int) {
      for _ in 0..<number {
        count += 1
        source.send(count - 1)
      }
    }

    func problems(isCancelled: Bool = false) -> String? {
      if !isCancelled { told.request(.unlimited) }
      let all = Array(0..<count)
      let walk = DeliveryWalk(told.values, in: all)
      var mistakes: [String] = []
      if !walk.isRight { mistakes.append("not in its place: \(told.values)") }
      if !isCancelled, walk.missed + walk.arrived != count {
        mistakes.append("not all told: \(told.values)")
      }
      told.cancel()
      return (mistakes + [taking.problems([], ("all", taking.values == all))].compactMap { $0 })
        .nonEmptyText
    }
  }

  /// A receiver that no value looks at, while others send, request and cancel.
  @Suite(.serialized)
  struct StalledScenarioTests {
    private typealias Terms = (
      name: String, replay: Replay<Int>, backlog: Backlog<Int, NumberedError>
    )

    private static let unbounded: [Terms] = [
      ("none, unbounded", .none, .unbounded), ("last, unbounded", .last(1), .unbounded),
    ]
    private static let oldest: [Terms] = [
      ("none, oldest", .none, .size(2, whenFull: .dropOldest)),
      ("last, oldest", .last(1), .size(2, whenFull: .dropOldest)),
    ]
    private static let newest: [Terms] = [
      ("none, newest", .none, .size(2, whenFull: .dropNewest)),
      ("last, newest", .last(1), .size(2, whenFull: .dropNewest)),
    ]

    private func exploreAll(
      _ terms: [Terms], _ what: String, isCancelled: Bool = false,
      _ threads: @escaping @Sendable (Room) -> [@Sendable () -> Void]
    ) {
      for (name, replay, backlog) in terms {
        explore("stalled, \(name): \(what)") {
          let room = Room(replay, backlog)
          return Scenario(threads: threads(room)) { room.problems(isCancelled: isCancelled) }
        }
      }
    }

    @Test func `B1 D8 explored: sends against requests of a stalled receiver`() {
      exploreAll(Self.unbounded + Self.oldest + Self.newest, "send;send;send|request;request") {
        room in
        [
          { room.send(3) },
          {
            room.told.request(.max(1))
            room.told.request(.max(1))
          },
        ]
      }
    }

    @Test func `B1 D7 explored: sends against a request and a cancel of a stalled receiver`() {
      exploreAll([Self.newest[0], Self.oldest[1]], "send;send|request|cancel", isCancelled: true) {
        room in
        [{ room.send(2) }, { room.told.request(.max(1)) }, { room.told.cancel() }]
      }
    }
  }
#endif
