internal import Fanout

/// The reference of the operators that combine two publishers.
///
/// Events are handled one by one, in the order in which they were accepted, and each output is delivered once it
/// is requested.
final class ReferenceCombination: Subscription {
  typealias Receiver = any Subscriber<Item, Failed>

  enum Kind { case latest, zipped, withLatest, prefixUntil, dropUntil }

  private enum Event {
    case value(Item, Side)
    case finished(Side)
  }

  private let kind: Kind
  private let make: (Item, Item) -> Item
  /// The publishers, in the order in which they are subscribed to.
  private var sides: [Side] = []
  private var downstream: Receiver?
  private var events: [Event] = []
  private var end: Subscribers.Completion<Failed>?
  private var demand = Subscribers.Demand.none
  private var requested = Subscribers.Demand.none
  /// Whether a value came that no output has used.
  private var hasNew = false
  private var isClosed = false
  private var isDecided = false
  private var isCancelled = false
  private var isBusy = true

  init(_ kind: Kind, _ downstream: Receiver, make: @escaping (Item, Item) -> Item) {
    self.kind = kind
    self.make = make
    self.downstream = downstream
    sides = [Side(self), Side(self)]
    switch kind {
    case .latest, .zipped: break
    case .withLatest: sides[0].ownDemand = .unlimited
    case .prefixUntil, .dropUntil:
      sides[0].ownDemand = .max(1)
      sides[0].isTrigger = true
    }
  }

  func begin(_ publishers: [ReferenceWorkshop.Made]) {
    downstream?.receive(subscription: self)
    isBusy = false
    run()
    for (publisher, side) in zip(publishers, sides) where !side.isClosed { publisher(side) }
  }

  func request(_ more: Subscribers.Demand) {
    guard more > .none, downstream != nil else { return }
    demand += more
    run()
    if downstream != nil { ask(for: more) }
  }

  func cancel() {
    guard !isCancelled else { return }
    isCancelled = true
    isClosed = true
    letGo()
    close()
  }

  private func ask(for more: Subscribers.Demand) {
    requested += more
    for side in sides where side.ownDemand == nil { side.ask(upTo: requested) }
  }

  private func close() {
    isClosed = true
    for side in sides { side.cancel() }
  }

  private func letGo() {
    downstream = nil
    events = []
    for side in sides { side.items = [] }
  }

  private func accept(_ event: Event) {
    guard !isClosed else { return }
    events.append(event)
    if case .value(_, let side) = event, side.isTrigger { side.cancel() }
    run()
  }

  private func fail(_ completion: Subscribers.Completion<Failed>) {
    guard !isClosed else { return }
    close()
    if end == nil { end = completion }
    run()
  }

  private func run() {
    guard !isBusy else { return }
    isBusy = true
    while let downstream {
      if isComplete, !isDecided {
        isDecided = true
        close()
        events = []
        end = .finished
      } else if hasNew, demand > .none, let output = nextOutput() {
        demand -= 1
        let item = output.count == 2 ? make(output[0], output[1]) : output[0]
        guard self.downstream != nil else { break }
        let more = downstream.receive(item)
        demand += more
        if more > .none, self.downstream != nil { ask(for: more) }
      } else if !events.isEmpty {
        handle(events.removeFirst())
      } else if let end, !(hasNew && isReady) {
        letGo()
        downstream.receive(completion: end)
      } else {
        break
      }
    }
    isBusy = false
  }

  private func handle(_ event: Event) {
    switch event {
    case .finished(let side): side.hasFinished = true
    case .value(let item, let side):
      hasNew = true
      side.hasCome = true
      if side.isTrigger { return }
      if kind != .zipped { side.items = [] }
      side.items.append(item)
    }
  }

  private var isReady: Bool {
    switch kind {
    case .latest, .zipped, .withLatest: sides.allSatisfy { !$0.items.isEmpty }
    case .prefixUntil: !sides[1].items.isEmpty
    case .dropUntil: !sides[1].items.isEmpty && sides[0].hasCome
    }
  }

  /// Whether no value to come can make another output.
  private var isComplete: Bool {
    switch kind {
    case .latest: sides.allSatisfy(\.hasFinished)
    case .zipped:
      sides.contains { side in
        side.hasFinished && sides.allSatisfy { $0.items.count >= side.items.count }
      }
    case .withLatest: sides[1].hasFinished
    case .prefixUntil: sides[0].hasCome || sides[1].hasFinished
    case .dropUntil: sides[1].hasFinished || sides[0].hasFinished && !sides[0].hasCome
    }
  }

  /// Returns the values of the next output, if there is one.
  private func nextOutput() -> [Item]? {
    switch kind {
    case .latest:
      guard isReady else { return nil }
      hasNew = false
      return sides.map { $0.items[0] }
    case .zipped:
      guard isReady else {
        hasNew = false
        return nil
      }
      return sides.map { $0.items.removeFirst() }
    case .withLatest, .prefixUntil, .dropUntil:
      hasNew = false
      guard let item = sides[1].items.popLast() else { return nil }
      if kind == .prefixUntil || kind == .dropUntil && sides[0].hasCome { return [item] }
      if kind == .withLatest, let other = sides[0].items.first { return [item, other] }
      sides[1].subscription?.request(.max(1))
      return nil
    }
  }

  /// One of the two publishers.
  final class Side: Subscriber {
    typealias Input = Item
    typealias Failure = Failed

    private var parent: ReferenceCombination?
    fileprivate(set) var subscription: (any Subscription)?
    /// The operator's own demand; otherwise the publisher is asked for what the subscriber requests.
    fileprivate(set) var ownDemand: Subscribers.Demand?
    /// Whether only its first value counts.
    fileprivate(set) var isTrigger = false
    fileprivate(set) var items: [Item] = []
    fileprivate(set) var hasCome = false
    fileprivate(set) var hasFinished = false
    private var asked = Subscribers.Demand.none

    init(_ parent: ReferenceCombination) { self.parent = parent }

    var isClosed: Bool { parent == nil }

    func receive(subscription: any Subscription) {
      guard self.subscription == nil, let parent else { return subscription.cancel() }
      self.subscription = subscription
      if let ownDemand { subscription.request(ownDemand) } else { ask(upTo: parent.requested) }
    }

    func ask(upTo requested: Subscribers.Demand) {
      guard let subscription, asked < requested else { return }
      let more = requested == .unlimited ? .unlimited : requested - asked
      asked = requested
      subscription.request(more)
    }

    func receive(_ item: Item) -> Subscribers.Demand {
      parent?.accept(.value(item, self))
      return .none
    }

    func receive(completion: Subscribers.Completion<Failed>) {
      guard let parent else { return }
      (self.parent, subscription) = (nil, nil)
      if isTrigger, parent.kind == .prefixUntil { return }
      if case .failure = completion { return parent.fail(completion) }
      parent.accept(.finished(self))
    }

    func cancel() {
      let old = subscription
      (parent, subscription) = (nil, nil)
      old?.cancel()
    }
  }
}
