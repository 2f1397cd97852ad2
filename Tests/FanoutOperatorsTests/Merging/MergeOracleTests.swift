import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `merge(with:)` against one array of all values in the order of their arrival, in random programs.
@Suite(.noLeaks) struct MergeOracleTests {
  @Test(arguments: 2...8)
  func `D7 D8 D9: merged publishers agree with an array of what has arrived`(count: Int) {
    for seed in TestThreads.seeds(40) {
      var program = MergeProgram(count: count, seed: seed)
      guard let difference = program.difference() else { continue }
      Issue.record("\(count) publishers, FANOUT_SEED=\(seed): \(difference)")
      return
    }
  }
}

/// A random program for merged publishers, and what it has done so far.
private struct MergeProgram {
  private var chance: SeededChance
  private let sources: [TestPublisher<Int, Broken>]
  private let subscriber: TestSubscriber<Int, Broken>
  /// The numbers of the publishers that have sent, in order; a value is its place here.
  private var arrivals: [Int] = []
  private var finished: Set<Int> = []
  private var hasFailed = false
  private var isCancelled = false

  init(count: Int, seed: UInt64) {
    chance = SeededChance(seed: seed)
    sources = (0..<count).map { _ in TestPublisher() }
    let returned = [0, 0, 1, 2][Int(chance.next() % 4)]
    subscriber = TestSubscriber(
      initialDemand: [.none, .max(1), .max(3), .unlimited][Int(chance.next() % 4)],
      demandFor: { _, value in value % 3 == 0 ? .max(returned) : .none })
  }

  private var isOver: Bool { isCancelled || hasFailed || finished.count == sources.count }

  private func merged() -> AnyPublisher<Int, Broken> {
    let s = sources
    let last = sources[sources.count - 1].map { $0 }
    switch s.count {
    case 2: return s[0].merge(with: last).eraseToAnyPublisher()
    case 3: return s[0].merge(with: s[1], last).eraseToAnyPublisher()
    case 4: return s[0].merge(with: s[1], s[2], last).eraseToAnyPublisher()
    case 5: return s[0].merge(with: s[1], s[2], s[3], last).eraseToAnyPublisher()
    case 6: return s[0].merge(with: s[1], s[2], s[3], s[4], last).eraseToAnyPublisher()
    case 7: return s[0].merge(with: s[1], s[2], s[3], s[4], s[5], last).eraseToAnyPublisher()
    default:
      return s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], last).eraseToAnyPublisher()
    }
  }

  private func asked(_ index: Int) -> Subscribers.Demand {
    sources[index].requests.reduce(.none, +)
  }

  mutating func difference() -> String? {
    merged().subscribe(subscriber)
    defer { subscriber.cancel() }
    for _ in 0..<40 {
      let step = step()
      if let difference = difference(after: step) {
        return """
          \(difference), after \(step); arrivals: \(arrivals), finished: \(finished.sorted()); \
          events: \(subscriber.events)
          """
      }
    }
    return nil
  }

  private mutating func step() -> String {
    let index = Int(chance.next() % UInt64(sources.count))
    let sent = arrivals.count { $0 == index }
    switch chance.next() % 24 {
    case 0 where chance.next() % 4 == 0:
      isCancelled = subscriber.completion == nil
      subscriber.cancel()
      return "a cancel"
    case 1 where chance.next() % 4 == 0:
      if !isOver, !finished.contains(index) { hasFailed = true }
      sources[index].send(completion: .failure(Broken()))
      return "a failure of \(index)"
    case 2...3:
      if !isOver { finished.insert(index) }
      sources[index].send(completion: .finished)
      return "the finish of \(index)"
    case 4..<10:
      let demand = Subscribers.Demand.max(1 + Int(chance.next() % 3))
      subscriber.request(demand)
      return "a request of \(demand)"
    case 10 where chance.next() % 3 == 0:
      subscriber.request(.unlimited)
      return "a request of everything"
    default:
      guard asked(index) > .max(sent) else { return "nothing" }
      let value = arrivals.count
      if !isOver, !finished.contains(index) { arrivals.append(index) }
      sources[index].send(value)
      return "a value of \(index)"
    }
  }

  private func difference(after step: String) -> String? {
    let (values, open) = (subscriber.values, subscriber.outstandingDemand)
    guard subscriber.violations.isEmpty else { return "\(subscriber.violations)" }
    guard values == Array(0..<values.count), values.count <= arrivals.count else {
      return "wrong values"
    }
    guard !isCancelled else {
      return subscriber.completion == nil ? nil : "an end in spite of a cancel"
    }
    let isAll = values.count == arrivals.count
    if !isAll, open != .none { return "a requested value is missing" }
    let end: Subscribers.Completion<Broken> = hasFailed ? .failure(Broken()) : .finished
    guard subscriber.completion == (isOver && isAll ? end : nil) else { return "a wrong end" }
    guard !isOver else { return nil }
    for index in sources.indices where !finished.contains(index) {
      let delivered = arrivals.prefix(values.count).count { $0 == index }
      let isRight =
        open == .unlimited ? asked(index) == .unlimited : asked(index) == .max(delivered + 1)
      guard isRight else { return "publisher \(index) is asked for \(asked(index))" }
    }
    return nil
  }
}
