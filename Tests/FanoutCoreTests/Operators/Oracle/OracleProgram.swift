import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads

/// A random program for an operator: values and an end from upstream, requests and a cancel from downstream.
struct OracleProgram {
  /// The seeds of the random programs of each operator.
  static let seeds = TestThreads.seeds(40)

  private enum Step {
    case send(Int)
    case end(End)
    case request(Subscribers.Demand)
    case cancel
  }

  private let steps: [Step]
  private let initialDemand: Subscribers.Demand
  /// The demand that the subscriber returns for each value, and what it requests inside the call.
  private let returned: [Int]
  private let requested: [Int]
  /// The number of the value inside whose delivery the subscriber cancels.
  private let cancelInside: Int?
  /// Whether the upstream goes on after a cancel.
  private let ignoresCancel: Bool
  private let inputs: Inputs

  init(seed: UInt64) {
    var chance = SeededChance(seed: seed)
    func pick(_ count: UInt64) -> Int { Int(chance.next() % count) }
    var inputs = Inputs()
    let range = [2, 5, 8][pick(3)]
    var steps: [Step] = []
    for _ in 0..<pick(24) {
      switch pick(20) {
      case 0: steps.append(.end(pick(3) == 0 ? .failed : .finished))
      case 1: steps.append(pick(3) == 0 ? .cancel : .request(.unlimited))
      case 2..<8: steps.append(.request(.max(1 + pick(3))))
      default:
        let value = pick(UInt64(range))
        inputs.values.append(value)
        steps.append(.send(value))
      }
    }
    inputs.end = [.finished, .finished, .failed, nil][pick(4)]
    if let end = inputs.end { steps.append(.end(end)) }
    self.steps = steps
    self.inputs = inputs
    initialDemand = [.none, .max(1), .max(2), .max(7), .unlimited][pick(5)]
    returned = (0..<8).map { _ in [0, 0, 1, 2][pick(4)] }
    requested = (0..<8).map { _ in [0, 0, 0, 1][pick(4)] }
    cancelInside = pick(3) == 0 ? pick(4) : nil
    ignoresCancel = pick(2) == 0
  }

  /// Returns how an operator differs from a function over an array; nil if it does not.
  func difference<P: Publisher>(
    _ make: (AnyPublisher<Int, Broken>) -> P,
    _ oracle: @escaping (Inputs) -> Outcome<P.Output>,
    _ demand: UpstreamDemand, isChain: Bool
  ) -> String? where P.Output: Equatable & Sendable {
    driven(make, oracle, demand, isChain: isChain).map { "driven by hand: " + $0 }
      ?? cold(make, oracle).map { "from a sequence: " + $0 }
      ?? hot(make, oracle).map { "from a subject to a sink: " + $0 }
  }

  private func subscriber<Output, Failure>() -> TestSubscriber<Output, Failure> {
    let (returned, requested, cancelInside) = (returned, requested, cancelInside)
    return TestSubscriber(initialDemand: initialDemand) { subscriber, _ in
      let number = subscriber.values.count - 1
      if number == cancelInside {
        subscriber.cancel()
        return .none
      }
      let more = requested[number % requested.count]
      if more > 0 { subscriber.request(.max(more)) }
      return .max(returned[number % returned.count])
    }
  }
}

extension OracleProgram {
  private func driven<P: Publisher>(
    _ make: (AnyPublisher<Int, Broken>) -> P,
    _ oracle: @escaping (Inputs) -> Outcome<P.Output>,
    _ demand: UpstreamDemand, isChain: Bool
  ) -> String? where P.Output: Equatable & Sendable {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: ignoresCancel)
    let subscriber: TestSubscriber<P.Output, P.Failure> = subscriber()
    make(upstream.eraseToAnyPublisher()).receive(subscriber: subscriber)
    defer { subscriber.cancel() }
    var account = OracleAccount<P>(
      subscriber: subscriber, oracle: oracle, cancelInside: cancelInside)
    var returned = Subscribers.Demand.none
    // In a chain a value may wait in front of an operator that would end at it.
    let last: [Step?] = isChain ? [.request(.unlimited), .cancel] : [.cancel]
    for step in [nil] + steps.map(Optional.some) + last {
      guard let feed = upstream.subscriptions.first else { return "it subscribes to nothing" }
      let asked = feed.requests.reduce(returned, +)
      switch step {
      case .send(let value)?:
        let isOwed = asked == .unlimited || asked > .max(account.inputs.values.count)
        // One that ignores the cancel may also send what nobody has requested.
        guard isOwed || (ignoresCancel && account.isOver) else { continue }
        if !account.isOver { account.inputs.values.append(value) }
        returned += feed.send(value)
      case .end(let end)?:
        if !account.isOver { account.inputs.end = end }
        feed.send(completion: end == .finished ? .finished : .failure(Broken()))
      case .request(let demand)?: subscriber.request(demand)
      case .cancel?: account.cancel()
      case nil: break
      }
      account.update()
      let cancels = account.hasLeft ? 1 : 0
      if feed.cancelCount != cancels {
        return account.text("\(feed.cancelCount) cancels of the upstream, not \(cancels)", step)
      }
      if let difference = account.difference(mayLackEnd: isChain) {
        return account.text(difference, step)
      }
      guard !account.isOver else { continue }
      let all = feed.requests.reduce(returned, +)
      if let wanted = account.demand(demand), all != wanted {
        return account.text("the upstream is asked for \(all), not for \(wanted)", step)
      }
    }
    return nil
  }
}

extension OracleProgram {
  /// An upstream that delivers inside of requests.
  private func cold<P: Publisher>(
    _ make: (AnyPublisher<Int, Broken>) -> P,
    _ oracle: @escaping (Inputs) -> Outcome<P.Output>
  ) -> String? where P.Output: Equatable & Sendable {
    guard let end = inputs.end else { return nil }
    let values = inputs.values.publisher.setFailureType(to: Broken.self)
    let upstream =
      end == .finished
      ? values.eraseToAnyPublisher()
      : values.append(Fail(error: Broken())).eraseToAnyPublisher()
    let subscriber: TestSubscriber<P.Output, P.Failure> = subscriber()
    make(upstream).receive(subscriber: subscriber)
    defer { subscriber.cancel() }
    var account = OracleAccount<P>(
      subscriber: subscriber, oracle: oracle, cancelInside: cancelInside)
    account.inputs = inputs
    for step in [nil] + steps.map(Optional.some) + [.request(.unlimited), .cancel] {
      switch step {
      case .request(let demand)?: subscriber.request(demand)
      case .cancel?: account.cancel()
      case .send?, .end?: continue
      case nil: break
      }
      account.update()
      if let difference = account.difference(mayLackEnd: true) {
        return account.text(difference, step)
      }
    }
    return nil
  }

  /// A subject with a sink, between which the operator is fused.
  private func hot<P: Publisher>(
    _ make: (AnyPublisher<Int, Broken>) -> P,
    _ oracle: @escaping (Inputs) -> Outcome<P.Output>
  ) -> String? where P.Output: Equatable & Sendable {
    let subject = PassthroughSubject<Int, Broken>()
    let (received, ends) = (Notes<P.Output>(), Notes<End>())
    let held = Shared<AnyCancellable?>(nil)
    let cancelInside = cancelInside
    held.value = make(subject.eraseToAnyPublisher()).sink(
      receiveCompletion: {
        if case .finished = $0 { ends.append(.finished) } else { ends.append(.failed) }
      },
      receiveValue: { value in
        received.append(value)
        if received.count - 1 == cancelInside { held.value?.cancel() }
      })
    inputs.values.forEach(subject.send)
    if let end = inputs.end {
      subject.send(completion: end == .finished ? .finished : .failure(Broken()))
    }
    held.value = nil
    let outcome = oracle(inputs)
    var (values, end) = (outcome.values, outcome.end)
    if let cancelInside, values.count > cancelInside {
      (values, end) = (Array(values[...cancelInside]), nil)
    }
    let isRight = received.all == values && ends.all == (end.map { [$0] } ?? [])
    return isRight
      ? nil
      : """
      upstream: \(inputs.values), \(inputs.end.map { "\($0)" } ?? "open"); expected: \(values), \
      \(end.map { "\($0)" } ?? "open"); received: \(received.all), \(ends.all)
      """
  }
}
