import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct HeadedTests {
  /// A unit of a stream that can be decoded only in order, and only with the newest headers.
  private enum Unit: Hashable {
    case header(String, Int)
    case keyframe(Int)
    case delta(Int)

    var header: String? { if case .header(let key, _) = self { key } else { nil } }
    var isKeyframe: Bool { if case .keyframe = self { true } else { false } }
    var number: Int {
      switch self {
      case .header(_, let number), .keyframe(let number), .delta(let number): number
      }
    }
  }

  private let source = PassthroughSubject<Unit, Never>()

  private func late(_ shared: some Publisher<Unit, Never>) -> [Unit] {
    let subscriber = TestSubscriber<Unit, Never>()
    shared.subscribe(subscriber)
    defer { subscriber.cancel() }
    return subscriber.values
  }

  @Test func `the newest header of each key goes first, and one within the replay stays there`() {
    let shared = source.share(replay: .sinceKeyframe { $0.isKeyframe }.headed { $0.header })
    let keeping = shared.sink { _ in }
    let units: [Unit] = [
      .header("a", 0), .header("b", 1), .header("a", 2), .keyframe(3), .delta(4), .header("b", 5),
    ]
    for unit in units { source.send(unit) }
    #expect(late(shared) == [.header("b", 1), .header("a", 2)] + units[3...])
    source.send(.keyframe(6))
    #expect(late(shared) == [.header("a", 2), .header("b", 5), .keyframe(6)])
    keeping.cancel()
  }

  @Test func `with each policy the headers are those from before the replay`() {
    let units: [Unit] = [.header("a", 0), .delta(1), .header("b", 2), .delta(3), .delta(4)]
    let expected: [(Replay<Unit>, [Unit])] = [
      (.none, [units[0], units[2]]), (.latest, [units[0], units[2], units[4]]),
      (.last(3), [units[0]] + units[2...]), (.all, units),
      (.undelivered(2), [units[0], units[2]]),
      (.custom { NewestOnly() }, [units[0], units[2], units[4]]),
    ]
    for (replay, contents) in expected {
      let shared = source.share(replay: replay.headed { $0.header })
      let keeping = shared.sink { _ in }
      for unit in units { source.send(unit) }
      #expect(late(shared) == contents)
      keeping.cancel()
    }
  }

  private struct NewestOnly: ReplayCache {
    var contents: [Unit] = []
    mutating func record(_ value: Unit) { contents = [value] }
  }

  @Test func `L2: a new connection has no headers of the old one`() {
    let shared = source.share(replay: .latest.headed { $0.header })
    let first = shared.sink { _ in }
    source.send(.header("a", 0))
    source.send(.delta(1))
    first.cancel()
    let second = shared.sink { _ in }
    #expect(late(shared) == [])
    second.cancel()
  }

  /// Every subscriber can decode what it gets: the newest headers come before each unit, a run begins at a
  /// keyframe, or at the beginning if that counts, and nothing comes twice or goes back.
  private func check(
    _ values: [Unit], of sent: [Unit], fromBeginning: Bool,
  ) -> String? {
    var known: [String: Int] = [:]
    var previous: Int?
    for unit in values {
      if case .header(let key, let number) = unit {
        if let newest = known[key], newest >= number { return "\(unit) comes again" }
        known[key] = number
        continue
      }
      for (key, newest) in newestHeaders(before: unit.number, of: sent) where known[key] != newest {
        return "\(unit) lacks header \(key) \(newest)"
      }
      let before = sent[..<unit.number].last { $0.header == nil }?.number
      let isBeginning = fromBeginning && before == nil
      if !unit.isKeyframe, !isBeginning, previous != before || previous == nil {
        return "\(unit) comes after \(previous ?? -1)"
      }
      if let previous, previous >= unit.number { return "\(unit) comes after \(previous)" }
      previous = unit.number
    }
    return nil
  }

  private func newestHeaders(before number: Int, of sent: [Unit]) -> [String: Int] {
    var newest: [String: Int] = [:]
    for case .header(let key, let place) in sent[..<number] { newest[key] = place }
    return newest
  }

  @Test(arguments: seeds(100))
  func `B4: whoever joins, lags and rejoins can decode what it gets`(seed: UInt64) throws {
    var chance = SeededChance(seed: seed)
    let fromBeginning = Bool.random(using: &chance)
    let limit = [Limit<Unit>.unlimited, .count(3), .count(8)].randomElement(using: &chance)
    let size = Int.random(in: 1...6, using: &chance)
    let source = PassthroughSubject<Unit, Never>()
    let shared = source.share(
      replay: .sinceKeyframe(
        limit: limit ?? .unlimited, fromBeginning: fromBeginning, where: { $0.isKeyframe }
      ).headed { $0.header },
      backlog: .size(size, whenFull: .rejoin))
    var sent: [Unit] = []
    nonisolated(unsafe) var sunk: [[Unit]] = []
    var sinks: [AnyCancellable] = []
    var subscribers: [TestSubscriber<Unit, Never>] = []
    let keeping = shared.sink { _ in }
    for _ in 0..<120 {
      switch Int.random(in: 0..<20, using: &chance) {
      case 0:
        let index = sunk.count
        sunk.append([])
        sinks.append(shared.sink { sunk[index].append($0) })
      case 1, 2:
        let subscriber = TestSubscriber<Unit, Never>(
          initialDemand: .max(.random(in: 0...2, using: &chance)))
        subscribers.append(subscriber)
        shared.subscribe(subscriber)
      case 3...6:
        subscribers.randomElement(using: &chance)?.request(
          .max(.random(in: 1...4, using: &chance)))
      default:
        let number = sent.count
        let unit: Unit =
          switch Int.random(in: 0..<10, using: &chance) {
          case 0: .header("a", number)
          case 1: .header("b", number)
          case 2: .keyframe(number)
          default: .delta(number)
          }
        sent.append(unit)
        source.send(unit)
      }
    }
    for subscriber in subscribers { subscriber.request(.unlimited) }
    for values in sunk + subscribers.map(\.values) {
      #expect(
        check(values, of: sent, fromBeginning: fromBeginning) == nil,
        "\(values) of \(sent)")
    }
    keeping.cancel()
    for sink in sinks { sink.cancel() }
    for subscriber in subscribers { subscriber.cancel() }
  }
}
