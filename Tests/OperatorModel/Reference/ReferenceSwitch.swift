internal import Fanout

/// The reference of `flatMapLatest(_:)`.
final class ReferenceSwitch: ReferenceQueue, Subscriber {
  typealias Input = Item
  typealias Failure = Failed

  private var transform: ((Item) -> ReferenceWorkshop.Made)?
  private var upstream: (any Subscription)?
  private var current: Feed?
  /// The demand for which no value was accepted.
  private var outstanding = Subscribers.Demand.none
  private var isLast = false

  init(_ downstream: Receiver, _ transform: @escaping (Item) -> ReferenceWorkshop.Made) {
    self.transform = transform
    super.init(downstream)
  }

  func receive(subscription: any Subscription) {
    guard upstream == nil, transform != nil, !isClosed else { return subscription.cancel() }
    upstream = subscription
    subscription.request(.unlimited)
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    guard let transform else { return .none }
    let publisher = transform(item)
    // The closure may have cancelled.
    guard self.transform != nil, !isClosed else { return .none }
    let feed = Feed(self)
    let last = current
    current = feed
    last?.cancel()
    if current === feed { publisher(feed) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failed>) {
    guard transform != nil else { return }
    (transform, upstream) = (nil, nil)
    if case .failure = completion { return fail(completion) }
    isLast = true
    if current == nil { close(with: .finished) }
  }

  private func fail(_ completion: Subscribers.Completion<Failed>) {
    guard !isClosed else { return }
    isClosed = true
    cancelUpstreams()
    end = completion
    wake()
  }

  override func cancelUpstreams() {
    let old = (upstream, current)
    (transform, upstream, current) = (nil, nil, nil)
    old.0?.cancel()
    old.1?.cancel()
  }

  override func request(_ more: Subscribers.Demand) {
    super.request(more)
    if more > .none, !isOver { ask(for: more) }
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) {
    if more > .none, !isOver { ask(for: more) }
  }

  private func ask(for more: Subscribers.Demand) {
    outstanding += more
    current?.subscription?.request(more)
  }

  /// One of the publishers.
  private final class Feed: Subscriber {
    typealias Input = Item
    typealias Failure = Failed

    private var parent: ReferenceSwitch?
    private(set) var subscription: (any Subscription)?

    init(_ parent: ReferenceSwitch) { self.parent = parent }

    func receive(subscription: any Subscription) {
      guard self.subscription == nil, let parent else { return subscription.cancel() }
      self.subscription = subscription
      if parent.outstanding > .none { subscription.request(parent.outstanding) }
    }

    func receive(_ item: Item) -> Subscribers.Demand {
      guard let parent, parent.current === self, !parent.isClosed else { return .none }
      if parent.outstanding > .none { parent.outstanding -= 1 }
      parent.add(Entry(item))
      return .none
    }

    func receive(completion: Subscribers.Completion<Failed>) {
      guard let parent else { return }
      (self.parent, subscription) = (nil, nil)
      guard parent.current === self else { return }
      parent.current = nil
      if case .failure = completion { return parent.fail(completion) }
      if parent.isLast { parent.close(with: .finished) }
    }

    func cancel() {
      let old = subscription
      (parent, subscription) = (nil, nil)
      old?.cancel()
    }
  }
}
