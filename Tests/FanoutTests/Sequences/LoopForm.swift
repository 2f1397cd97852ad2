import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// The doors through which a loop can come to a shared publisher; the rules are the same behind each.
enum LoopForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case values, erased, joining, deliveries, requests
  case batches, joiningBatches, deliveriesBatches

  func makeLoop<Source: Publisher<Int, Broken> & Sendable>(
    over share: Publishers.Share<Source>, hasBacklog: Bool = false
  ) -> TestLoop {
    switch self {
    case .values: TestLoop(share.values) { [$0] }
    case .erased: TestLoop(share.eraseToAnySharedPublisher().values) { [$0] }
    // It requests one value a turn, so that a backlog has to keep the others.
    case .requests where hasBacklog: TestLoop(AsyncPublisher(share)) { [$0] }
    default: makeLoop(over: share.values)
    }
  }

  func makeLoop(over shared: SharedSequence<Int, Broken>) -> TestLoop {
    switch self {
    case .requests:
      TestLoop(AsyncPublisher(shared.publisher.joining(backlog: .unbounded))) { [$0] }
    case .erased: TestLoop(shared.publisher.values) { [$0] }
    case .values: TestLoop(shared) { [$0] }
    case .joining: TestLoop(shared.joining(label: "loop")) { [$0] }
    case .deliveries: TestLoop(shared.deliveries()) { [$0.value].compactMap(\.self) }
    case .batches: TestLoop(shared.batches(upTo: 3)) { $0 }
    case .joiningBatches: TestLoop(shared.joining(label: "loop").batches(upTo: 3)) { $0 }
    case .deliveriesBatches:
      TestLoop(shared.deliveries().batches(upTo: 3)) { $0.compactMap(\.value) }
    }
  }

  /// The greatest number of elements that one call takes out of the backlog.
  var arrayCount: Int {
    switch self {
    case .values, .erased, .joining, .deliveries, .requests: 1
    case .batches, .joiningBatches, .deliveriesBatches: 3
    }
  }

  /// Whether what the loop is told beside its values counts as an element of an array.
  var isTold: Bool { self == .deliveriesBatches }

  var testDescription: String { rawValue }
}

/// The place of one loop, which gives its values one by one whatever the loop's elements are.
struct TestLoop {
  private let take: () async throws(Broken) -> [Int]?
  /// Values that came together with an earlier one.
  private var rest: ArraySlice<Int> = []

  init<Elements: AsyncSequence>(
    _ elements: Elements, values: @escaping (Elements.Element) -> [Int]
  ) where Elements.Failure == Broken {
    var iterator = elements.makeAsyncIterator()
    take = { () async throws(Broken) -> [Int]? in
      try await iterator.next(isolation: nil).map(values)
    }
  }

  mutating func next() async throws(Broken) -> Int? {
    while rest.isEmpty {
      guard let taken = try await take() else { return nil }
      rest = taken[...]
    }
    return rest.popFirst()
  }

  /// Takes all values up to the end; returns them, and whether the end is a failure.
  mutating func takeAll() async -> (values: [Int], hasFailed: Bool) {
    var values: [Int] = []
    do throws(Broken) {
      while let value = try await next() { values.append(value) }
    } catch {
      return (values, true)
    }
    return (values, false)
  }
}
