internal import Fanout

/// The reference of `catch(_:)`, `append(_:)` and `retry(_:)`.
final class ReferenceResuming: ReferenceStage {
  private var outstanding = Subscribers.Demand.none
  private var next: ((Subscribers.Completion<Failed>) -> ReferenceWorkshop.Made?)?
  private var left: Int

  /// Creates a stage that continues at most a number of times.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - times: The number of publishers that may follow.
  ///   - next: The closure that returns the publisher that follows, or nil at an end that is the last.
  init(
    _ downstream: Receiver, times: Int,
    _ next: @escaping (Subscribers.Completion<Failed>) -> ReferenceWorkshop.Made?
  ) {
    self.next = next
    left = times
    super.init(downstream)
  }

  override func request(_ demand: Subscribers.Demand) {
    outstanding += demand
    super.request(demand)
  }

  override func receive(_ item: Item) -> Subscribers.Demand {
    guard !isOver else { return .none }
    outstanding -= 1
    let more = super.receive(item)
    outstanding += more
    return more
  }

  override func receive(completion: Subscribers.Completion<Failed>) {
    guard !isOver, left > 0, let next else { return end(completion) }
    let old = upstream
    upstream = nil
    guard let made = next(completion) else {
      if upstream == nil { upstream = old }
      return end(completion)
    }
    left -= 1
    if left == 0 { self.next = nil }
    if !isCancelled { made(Resumed(self)) }
  }

  override func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    next = nil
    return super.close()
  }

  /// The subscriber of a publisher that follows.
  private final class Resumed: Subscriber {
    typealias Input = Item
    typealias Failure = Failed

    private let parent: ReferenceResuming

    init(_ parent: ReferenceResuming) { self.parent = parent }

    func receive(subscription: any Subscription) {
      guard parent.accept(subscription) else { return }
      if parent.outstanding > .none { subscription.request(parent.outstanding) }
    }

    func receive(_ item: Item) -> Subscribers.Demand { parent.receive(item) }

    func receive(completion: Subscribers.Completion<Failed>) {
      parent.receive(completion: completion)
    }
  }
}
