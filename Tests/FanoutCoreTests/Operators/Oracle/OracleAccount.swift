import FanoutCore
import FanoutTestSupport

/// The record of a program that runs, and what the oracle says about it.
struct OracleAccount<P: Publisher> where P.Output: Equatable & Sendable {
  let subscriber: TestSubscriber<P.Output, P.Failure>
  let oracle: (Inputs) -> Outcome<P.Output>
  let cancelInside: Int?
  var inputs = Inputs()
  /// Whether the subscriber has cancelled.
  private(set) var isCancelled = false
  /// Whether the operator has cancelled its upstream: by its own end, or by the subscriber's cancel.
  private(set) var hasLeft = false
  private var countAtCancel: Int?

  init(
    subscriber: TestSubscriber<P.Output, P.Failure>,
    oracle: @escaping (Inputs) -> Outcome<P.Output>,
    cancelInside: Int?
  ) {
    (self.subscriber, self.oracle, self.cancelInside) = (subscriber, oracle, cancelInside)
  }

  private var outcome: Outcome<P.Output> { oracle(inputs) }

  /// Whether nothing more is accepted from the upstream.
  var isOver: Bool { isCancelled || outcome.end != nil }

  mutating func cancel() {
    if !isOver { hasLeft = true }
    isCancelled = true
    countAtCancel = countAtCancel ?? subscriber.values.count
    subscriber.cancel()
  }

  /// Notes an end that came before the upstream's, or a cancel inside a delivery.
  mutating func update() {
    let count = subscriber.values.count
    if !isCancelled, let cancelInside, count > cancelInside {
      isCancelled = true
      countAtCancel = cancelInside + 1
    }
    if inputs.end == nil, isOver { hasLeft = true }
  }

  /// The total demand for the upstream that is justified; nil if it is not compared.
  func demand(_ kind: UpstreamDemand) -> Subscribers.Demand? {
    let open = subscriber.outstandingDemand
    switch kind {
    case .same: return open + inputs.values.count
    case .everything: return .unlimited
    case .more(let count): return open + subscriber.values.count + count
    case .times(let count): return (open + subscriber.values.count) * count
    case .any: return nil
    }
  }

  /// The difference from the oracle; nil if there is none.
  ///
  /// Without demand an operator need not know of an end behind values that it has not requested.
  func difference(mayLackEnd: Bool) -> String? {
    let (outcome, received) = (outcome, subscriber.values)
    guard subscriber.violations.isEmpty else { return "\(subscriber.violations)" }
    guard outcome.values.starts(with: received) else { return "a wrong value" }
    if let countAtCancel {
      return received.count == countAtCancel ? nil : "\(received.count) values in spite of a cancel"
    }
    let isAll = received.count == outcome.values.count
    if !isAll, subscriber.outstandingDemand != .none { return "a requested value is missing" }
    let end: End? = subscriber.completion.map {
      if case .finished = $0 { .finished } else { .failed }
    }
    if mayLackEnd, end == nil, subscriber.outstandingDemand == .none { return nil }
    return end == (isAll ? outcome.end : nil) ? nil : "a wrong end"
  }

  func text(_ difference: String, _ step: Any?) -> String {
    """
    \(difference), after the step \(step.map { "\($0)" } ?? "subscribe"); \
    upstream: \(inputs.values), \(inputs.end.map { "\($0)" } ?? "open"); \
    expected: \(outcome.values), \(outcome.end.map { "\($0)" } ?? "open"); events: \(subscriber.events)
    """
  }
}
