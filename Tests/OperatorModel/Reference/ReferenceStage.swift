internal import Fanout

/// An operator with one upstream that passes values on at once.
///
/// Everything in the reference is single-threaded, and states the contract in the shortest way.
class ReferenceStage: Subscriber, Subscription {
  typealias Input = Item
  typealias Failure = Failed
  typealias Receiver = any Subscriber<Item, Failed>

  final var upstream: (any Subscription)?
  final var downstream: Receiver?
  /// Whether it has ended or was cancelled.
  final var isOver = false
  final var isCancelled = false

  init(_ downstream: Receiver) { self.downstream = downstream }

  func receive(subscription: any Subscription) {
    guard accept(subscription) else { return }
    downstream?.receive(subscription: self)
  }

  /// Accepts the first subscription, and cancels any other.
  final func accept(_ subscription: any Subscription) -> Bool {
    guard upstream == nil, !isOver else {
      subscription.cancel()
      return false
    }
    upstream = subscription
    return true
  }

  func receive(_ item: Item) -> Subscribers.Demand { downstream?.receive(item) ?? .none }

  func receive(completion: Subscribers.Completion<Failed>) { end(completion) }

  func request(_ demand: Subscribers.Demand) {
    if demand > .none, !isOver { upstream?.request(demand) }
  }

  func cancel() {
    isCancelled = true
    guard !isOver else { return }
    let upstream = close().upstream
    upstream?.cancel()
  }

  /// Ends with the upstream.
  final func end(_ completion: Subscribers.Completion<Failed>) {
    guard !isOver else { return }
    close().downstream?.receive(completion: completion)
  }

  /// Ends before the upstream, and cancels that.
  final func endEarly(_ completion: Subscribers.Completion<Failed>) {
    guard !isOver else { return }
    let (upstream, downstream) = close()
    upstream?.cancel()
    if !isCancelled { downstream?.receive(completion: completion) }
  }

  /// Releases both sides, and returns them.
  func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    defer { (upstream, downstream, isOver) = (nil, nil, true) }
    return (upstream, downstream)
  }
}

/// An operator that makes at most one value from each.
final class ReferenceStep: ReferenceStage {
  enum Result {
    case value(Item)
    case skip
    /// A value, followed by the end.
    case last(Item)
    /// The end.
    case finished
    case failure(Failed)
  }

  private var step: ((Item) -> Result)?
  private let mapFailure: ((Failed) -> Failed)?

  init(
    _ downstream: Receiver, mapFailure: ((Failed) -> Failed)? = nil,
    _ step: @escaping (Item) -> Result
  ) {
    self.step = step
    self.mapFailure = mapFailure
    super.init(downstream)
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver, let result = step?(item) else { return .none }
    // The closure may have cancelled.
    guard !isOver else { return .none }
    switch result {
    case .value(let value): return super.receive(value)
    case .skip: return .max(1)
    case .last(let value):
      _ = super.receive(value)
      endEarly(.finished)
    case .finished: endEarly(.finished)
    case .failure(let failed): endEarly(.failure(failed))
    }
    return .none
  }

  override func receive(completion: Subscribers.Completion<Failed>) {
    guard case .failure(let failed) = completion, let mapFailure, !isOver else {
      return end(completion)
    }
    end(.failure(mapFailure(failed)))
  }

  override func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    step = nil
    return super.close()
  }
}

/// The reference of `dropFirst(_:)`, which itself requests the values that it drops.
final class ReferenceDrop: ReferenceStage {
  private let count: Int
  private var left: Int

  init(_ downstream: Receiver, count: Int) {
    self.count = count
    left = count
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    super.receive(subscription: subscription)
    if count > 0 { request(.max(count)) }
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard left == 0 else {
      left -= 1
      return .none
    }
    return super.receive(item)
  }
}
