internal import Fanout

/// The reference of `catch(_:)`.
final class ReferenceCatch: ReferenceStage {
  private var outstanding = Subscribers.Demand.none
  private var recover: ((Failed, Receiver) -> Void)?
  private var hasFailed = false

  init(
    _ downstream: Receiver,
    _ recover: @escaping (Failed) -> ReferenceWorkshop.Made
  ) {
    super.init(downstream)
    self.recover = { [unowned self] failed, receiver in
      let made = recover(failed)
      if !isCancelled { made(receiver) }
    }
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
    guard case .failure(let failed) = completion, !isOver, !hasFailed else {
      return end(completion)
    }
    hasFailed = true
    upstream = nil
    let recover = recover
    self.recover = nil
    recover?(failed, Recovery(self))
  }

  override func close() -> (upstream: (any Subscription)?, downstream: Receiver?) {
    recover = nil
    return super.close()
  }

  /// The subscriber of the replacement.
  private final class Recovery: Subscriber {
    typealias Input = Item
    typealias Failure = Failed

    private let parent: ReferenceCatch

    init(_ parent: ReferenceCatch) { self.parent = parent }

    func receive(subscription: any Subscription) {
      guard parent.accept(subscription) else { return }
      if parent.outstanding > .none { subscription.request(parent.outstanding) }
    }

    func receive(_ item: Item) -> Subscribers.Demand { parent.receive(item) }

    func receive(completion: Subscribers.Completion<Failed>) { parent.end(completion) }
  }
}
