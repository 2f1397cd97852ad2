internal import Fanout

/// The common part of the operators that keep values until they are requested.
class ReferenceQueue: Subscription {
  typealias Receiver = any Subscriber<Item, Failed>

  /// An entry that is, or will be, a value.
  class Entry {
    final var item: Item?
    init(_ item: Item?) { self.item = item }
  }

  final var entries: [Entry] = []
  final var end: Subscribers.Completion<Failed>?
  /// Whether the queue accepts nothing any more.
  final var isClosed = false
  final var isCancelled = false
  final var demand = Subscribers.Demand.none
  private(set) final var downstream: Receiver?
  /// Whether the subscriber has received its subscription; nothing is delivered before.
  private(set) final var hasBegun = false
  private var isBusy = true

  init(_ downstream: Receiver) { self.downstream = downstream }

  /// Whether the end was delivered or the queue was cancelled.
  final var isOver: Bool { downstream == nil }

  /// Passes the subscription to the subscriber; nothing is delivered before.
  final func begin() {
    downstream?.receive(subscription: self)
    hasBegun = true
    isBusy = false
    wake()
  }

  final func add(_ entry: Entry) {
    guard !isClosed else { return }
    entries.append(entry)
    wake()
  }

  /// Puts the end after the waiting values; the first end counts.
  final func close(with completion: Subscribers.Completion<Failed>) {
    guard !isClosed else { return }
    isClosed = true
    end = completion
    wake()
  }

  func request(_ more: Subscribers.Demand) {
    guard more > .none, !isOver else { return }
    demand += more
    wake()
  }

  func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    isClosed = true
    letGo()
    cancelUpstreams()
  }

  /// Cancels the upstreams.
  func cancelUpstreams() {}

  /// Reacts to a value that is about to be delivered.
  func willDeliver() {}

  /// Reacts to the delivery of a value, with the demand that the subscriber returned.
  func didDeliver(_ entry: Entry, _ more: Subscribers.Demand) {}

  /// Reacts to a change after which there may be something to deliver.
  func wake() { deliver() }

  final func deliver() {
    guard !isBusy else { return }
    isBusy = true
    while let downstream {
      if demand > .none, let entry = entries.first {
        guard let item = entry.item else { break }
        entries.removeFirst()
        demand -= 1
        willDeliver()
        let more = downstream.receive(item)
        demand += more
        didDeliver(entry, more)
      } else if entries.isEmpty, let end {
        letGo()
        downstream.receive(completion: end)
      } else {
        break
      }
    }
    isBusy = false
  }

  func letGo() {
    downstream = nil
    entries = []
  }
}

/// A queue with one upstream.
class ReferenceQueueStage: ReferenceQueue, Subscriber {
  typealias Input = Item
  typealias Failure = Failed

  final var upstream: (any Subscription)?
  /// Whether the upstream has ended or was cancelled.
  final var isDetached = false

  func receive(subscription: any Subscription) {
    guard upstream == nil, !isCancelled, !isDetached else { return subscription.cancel() }
    upstream = subscription
    didAttach()
    begin()
  }

  func didAttach() {}

  func receive(_ item: Item) -> Subscribers.Demand {
    if !isDetached { add(Entry(item)) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failed>) {
    guard !isDetached else { return }
    isDetached = true
    upstream = nil
    close(with: completion)
  }

  final func ask(_ demand: Subscribers.Demand) {
    if demand > .none { upstream?.request(demand) }
  }

  override func cancelUpstreams() {
    isDetached = true
    let old = upstream
    upstream = nil
    old?.cancel()
  }
}
