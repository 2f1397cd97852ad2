internal import Fanout

/// An operator that ends with a value of its own, which waits until it is requested.
class ReferenceFinalValue: ReferenceStage {
  private var waiting: (make: () -> Item, downstream: Receiver)?
  private var isAsked = false

  final func ask() {
    isAsked = true
    deliver()
  }

  /// Ends with a value; the upstream is already released.
  final func offer(_ make: @escaping () -> Item, to downstream: Receiver?) {
    guard let downstream, !isCancelled else { return }
    waiting = (make, downstream)
    if isAsked { deliver() }
  }

  private func deliver() {
    guard let (make, downstream) = waiting else { return }
    waiting = nil
    _ = downstream.receive(make())
    if !isCancelled { downstream.receive(completion: .finished) }
  }

  override func cancel() {
    super.cancel()
    waiting = nil
  }
}

/// The reference of the operators that make one value of all.
final class ReferenceFold: ReferenceFinalValue {
  enum Result {
    /// The value to deliver at the end.
    case keep(Item?)
    /// The value to deliver now.
    case last(Item)
    case failure(Failed)
  }

  private var kept: Item?
  private let fold: (Item?, Item) -> Result

  init(_ downstream: Receiver, from start: Item? = nil, _ fold: @escaping (Item?, Item) -> Result) {
    kept = start
    self.fold = fold
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    super.receive(subscription: subscription)
    super.request(.unlimited)
  }

  override func request(_ demand: Subscribers.Demand) {
    if demand > .none { ask() }
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver else { return .none }
    let result = fold(kept, item)
    // The closure may have cancelled.
    guard !isOver else { return .none }
    switch result {
    case .keep(let item): kept = item
    case .failure(let failed): endEarly(.failure(failed))
    case .last(let last):
      let (upstream, downstream) = close()
      upstream?.cancel()
      offer({ last }, to: downstream)
    }
    return .none
  }

  override func receive(completion: Subscribers.Completion<Failed>) {
    guard !isOver, case .finished = completion, let kept else { return end(completion) }
    offer({ kept }, to: close().downstream)
  }

  override func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    kept = nil
    return super.close()
  }
}

/// The reference of `first()`.
final class ReferenceFirst: ReferenceFinalValue {
  override func receive(subscription: any Subscription) {
    super.receive(subscription: subscription)
    super.request(.unlimited)
  }

  override func request(_ demand: Subscribers.Demand) {
    if demand > .none { ask() }
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver else { return .none }
    let (upstream, downstream) = close()
    upstream?.cancel()
    offer({ item }, to: downstream)
    return .none
  }
}

/// The reference of `collect()`, with a closure that makes one value of all.
final class ReferenceCollect: ReferenceFinalValue {
  private var items: [Item] = []
  private let combine: ([Item]) -> Item

  init(_ downstream: Receiver, _ combine: @escaping ([Item]) -> Item) {
    self.combine = combine
    super.init(downstream)
  }

  override func receive(subscription: any Subscription) {
    super.receive(subscription: subscription)
    super.request(.unlimited)
  }

  override func request(_ demand: Subscribers.Demand) {
    if demand > .none { ask() }
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    if !isOver { items.append(item) }
    return .none
  }

  override func receive(completion: Subscribers.Completion<Failed>) {
    guard !isOver else { return }
    guard case .finished = completion else { return end(completion) }
    let (items, combine) = (items, combine)
    offer({ combine(items) }, to: close().downstream)
  }

  override func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    items = []
    return super.close()
  }
}

/// The reference of `replaceError(with:)`.
final class ReferenceReplaceError: ReferenceFinalValue {
  private var outstanding = Subscribers.Demand.none
  private let make: () -> Item

  init(_ downstream: Receiver, _ make: @escaping () -> Item) {
    self.make = make
    super.init(downstream)
  }

  override func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    outstanding += demand
    if isOver { ask() } else { super.request(demand) }
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver else { return .none }
    outstanding -= 1
    let more = super.receive(item)
    outstanding += more
    return more
  }

  override func receive(completion: Subscribers.Completion<Failed>) {
    guard case .failure = completion, !isOver else { return end(completion) }
    let downstream = close().downstream
    if outstanding > .none { ask() }
    offer(make, to: downstream)
  }
}
