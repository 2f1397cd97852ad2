internal import Fanout

/// The common part of `merge`, `MergeMany` and `flatMap`: the values of several publishers in one
/// queue.
class ReferenceMerge: ReferenceQueue {
  /// A value with its origin.
  private final class Brought: Entry {
    let feed: Feed
    init(_ item: Item, _ feed: Feed) {
      self.feed = feed
      super.init(item)
    }
  }

  private(set) final var feeds: [Feed] = []
  private var mayMoreCome = true
  private var isUnlimited = false

  /// Subscribes to one more publisher, unless the queue is closed.
  final func join(_ publisher: ReferenceWorkshop.Made) {
    guard !isClosed else { return }
    let feed = Feed(self)
    feeds.append(feed)
    publisher(feed)
  }

  /// Marks the list of publishers as complete.
  final func noMoreCome() {
    mayMoreCome = false
    if feeds.isEmpty { close(with: .finished) }
  }

  /// Reacts to the end of a publisher, after which another may take its place.
  func feedDidFinish() {}

  /// Fails after the waiting values; values that come later are ignored.
  final func fail(_ completion: Subscribers.Completion<Failed>) {
    guard !isClosed else { return }
    isClosed = true
    cancelUpstreams()
    end = completion
    wake()
  }

  final override func cancelUpstreams() {
    let cancelled = feeds
    feeds = []
    cancelUpstream()
    for feed in cancelled { feed.cancel() }
  }

  /// Cancels the upstream that the publishers come from.
  func cancelUpstream() {}

  override func request(_ more: Subscribers.Demand) {
    super.request(more)
    if more == .unlimited { askForEverything() }
  }

  override func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) {
    guard !isUnlimited, let feed = (entry as? Brought)?.feed else { return }
    if demand == .unlimited { askForEverything() } else { feed.subscription?.request(.max(1)) }
  }

  private func askForEverything() {
    guard !isUnlimited else { return }
    isUnlimited = true
    for feed in feeds { feed.subscription?.request(.unlimited) }
  }

  /// One of the publishers.
  final class Feed: Subscriber {
    typealias Input = Item
    typealias Failure = Failed

    private var parent: ReferenceMerge?
    private(set) var subscription: (any Subscription)?

    init(_ parent: ReferenceMerge) { self.parent = parent }

    func receive(subscription: any Subscription) {
      guard self.subscription == nil, let parent else { return subscription.cancel() }
      self.subscription = subscription
      subscription.request(parent.isUnlimited ? .unlimited : .max(1))
    }

    func receive(_ item: Item) -> Subscribers.Demand {
      if let parent { parent.add(Brought(item, self)) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failed>) {
      guard let parent else { return }
      (self.parent, subscription) = (nil, nil)
      parent.feeds.removeAll { $0 === self }
      if case .failure = completion { return parent.fail(completion) }
      if parent.feeds.isEmpty, !parent.mayMoreCome {
        parent.close(with: .finished)
      } else {
        parent.feedDidFinish()
      }
    }

    func cancel() {
      let old = subscription
      (parent, subscription) = (nil, nil)
      old?.cancel()
    }
  }
}

/// The reference of `flatMap(maxPublishers:_:)`.
final class ReferenceFlatMap: ReferenceMerge, Subscriber {
  typealias Input = Item
  typealias Failure = Failed

  private let maxPublishers: Subscribers.Demand
  private var transform: ((Item) -> ReferenceWorkshop.Made)?
  private var upstream: (any Subscription)?
  /// The additional demand to request when the current request has returned.
  private var toAsk = Subscribers.Demand.none
  private var isAsking = false

  init(
    _ downstream: Receiver, _ maxPublishers: Subscribers.Demand,
    _ transform: @escaping (Item) -> ReferenceWorkshop.Made
  ) {
    self.maxPublishers = maxPublishers
    self.transform = transform
    super.init(downstream)
  }

  func receive(subscription: any Subscription) {
    guard upstream == nil, transform != nil, !isClosed else { return subscription.cancel() }
    upstream = subscription
    ask(maxPublishers)
  }

  func receive(_ item: Item) -> Subscribers.Demand {
    // A value that was not requested would add one publisher too many.
    if !isClosed, maxPublishers > feeds.count, let transform { join(transform(item)) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failed>) {
    guard transform != nil else { return }
    (transform, upstream) = (nil, nil)
    if case .failure = completion { fail(completion) } else { noMoreCome() }
  }

  override func feedDidFinish() {
    if maxPublishers != .unlimited { ask(.max(1)) }
  }

  private func ask(_ demand: Subscribers.Demand) {
    toAsk += demand
    guard !isAsking else { return }
    isAsking = true
    while toAsk > .none {
      let demand = toAsk
      toAsk = .none
      upstream?.request(demand)
    }
    isAsking = false
  }

  override func cancelUpstream() {
    let old = upstream
    (transform, upstream) = (nil, nil)
    old?.cancel()
  }
}
