internal import Fanout

/// The reference of the iterator of `values`, of a publisher or of a share.
final class ReferenceLoop: PlayedConsumer {
  /// The answer to a call of `next()`.
  private enum OneShot {
    case value(Item)
    case failure(Failed)
    case end
  }

  /// A call of `next()`.
  private final class Call {
    let number: Int
    var hasStarted = false
    var isCancelled = false
    /// Whether it has returned its answer.
    var isOver = false
    var answer: OneShot?
    /// Whether it had to wait for the answer, so that it continues in a job of its own.
    var hasWaited = false
    init(_ number: Int) { self.number = number }
  }

  private let play: Play
  private let tasks: ReferenceAgenda
  private let mostCalls: Int
  private let receiver: Receiver
  private var calls: [Call] = []
  private var pending = 0
  private var isDropped = false

  // `limit` is the number of values that may wait for a loop over a share; nil for one over
  // another publisher.
  init(_ publisher: ReferenceWorkshop.Made, limit: Int?, _ tasks: ReferenceAgenda, in play: Play) {
    self.play = play
    self.tasks = tasks
    mostCalls = limit == nil ? 2 : 1
    receiver = Receiver(limit: limit)
    publisher(receiver)
  }

  func next() {
    guard !isDropped, pending < mostCalls else { return }
    pending += 1
    let call = Call(calls.count)
    calls.append(call)
    tasks.schedule { self.start(call) }
  }

  private func start(_ call: Call) {
    call.hasStarted = true
    if call.isCancelled { receiver.cancel() }
    receiver.ask { answer in
      call.answer = answer
      if call.hasWaited { self.tasks.schedule { self.finish(call) } }
    }
    if call.answer == nil { call.hasWaited = true } else { finish(call) }
  }

  private func finish(_ call: Call) {
    call.isOver = true
    defer { call.answer = nil }
    pending -= 1
    let event: Observation.Call =
      switch call.answer {
      case .value(let item): .next(call.number, returned: item.number)
      case .failure(let failed): .thrown(call.number, failure: failed.number)
      case .end, nil: .next(call.number, returned: nil)
      }
    letGoIfUnused()
    play.called(event) { _ = play.reactToValue() }
  }

  func cancelTask(_ index: Int) {
    guard calls.indices.contains(index), !calls[index].isOver else { return }
    calls[index].isCancelled = true
    // Also a call that has its answer but has not continued yet.
    if calls[index].hasStarted { receiver.cancel() }
  }

  func drop() {
    isDropped = true
    letGoIfUnused()
  }

  /// Cancels when the last copy of the iterator is released.
  private func letGoIfUnused() {
    if isDropped, pending == 0 { receiver.cancel() }
  }

  func cancel() {
    for index in calls.indices { cancelTask(index) }
    drop()
  }

  /// The subscriber behind the iterator.
  private final class Receiver: Subscriber {
    typealias Input = Item
    typealias Failure = Failed
    typealias Waiter = (OneShot) -> Void

    private let limit: Int?
    private var subscription: (any Subscription)?
    private var waiters: [Waiter] = []
    private var items: [Item] = []
    private var end: Subscribers.Completion<Failed>?
    private var isOver = false

    init(limit: Int?) { self.limit = limit }

    func ask(_ waiter: @escaping Waiter) {
      if let item = items.first {
        items.removeFirst()
        return waiter(.value(item))
      }
      if isOver {
        let end = end
        self.end = nil
        if case .failure(let failed) = end { return waiter(.failure(failed)) }
        return waiter(.end)
      }
      waiters.append(waiter)
      if limit == nil { subscription?.request(.max(1)) }
    }

    func receive(subscription: any Subscription) {
      guard self.subscription == nil, !isOver else { return subscription.cancel() }
      self.subscription = subscription
      if limit != nil {
        subscription.request(.unlimited)
      } else if !waiters.isEmpty {
        subscription.request(.max(waiters.count))
      }
    }

    func receive(_ item: Item) -> Subscribers.Demand {
      guard !isOver else { return .none }
      if !waiters.isEmpty {
        waiters.removeFirst()(.value(item))
      } else if let limit {
        if items.count == limit { items.removeFirst() }
        items.append(item)
      }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failed>) {
      guard !isOver else { return }
      (isOver, subscription, end) = (true, nil, completion)
      let waiting = waiters
      waiters = []
      for waiter in waiting { ask(waiter) }
    }

    func cancel() {
      let (old, waiting) = (subscription, waiters)
      (isOver, subscription, end, items, waiters) = (true, nil, nil, [], [])
      old?.cancel()
      for waiter in waiting { waiter(.end) }
    }
  }
}
