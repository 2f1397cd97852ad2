public import Fanout
internal import FanoutEngine
internal import TestThreads

/// A subscriber whose demand is driven by hand, and that checks how it is called.
///
/// It records every call, and keeps an account of its demand. What goes against the contract is
/// found in ``violations``: calls that overlap, also on one thread; a value that was not asked for;
/// a call before the subscription or after the terminal; a call after a ``cancel()`` inside a call,
/// or more than one after a ``cancel()`` from elsewhere.
///
/// With a ``TestScheduler`` it notes when each call came, in ``timedEvents``. ``report`` is the text
/// for a failing test: what was found, and everything that was recorded.
///
/// - Completion, cancel: it keeps its subscription also after them, so that a publisher that does
///   not let go is seen to leak.
/// - Concurrency: every member may be used from any thread. Its closures run on the thread that
///   calls it, outside its lock.
/// - Ownership: retains its subscription, its scheduler, its closures and every value that it
///   received.
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
/// (1...4).publisher.subscribe(subscriber)
/// subscriber.request(.max(2))
/// print(subscriber.events, subscriber.violations)
/// // Prints:
/// // [subscription, 1, 2, 3] []
/// ```
public final class TestSubscriber<Input, Failure: Error>: Subscriber, Cancellable {
  /// A call that a subscriber received.
  public typealias Event = RecordedEvent<Input, Failure>

  private struct State {
    var ledger = Ledger<Input, Failure>()
    var subscription: (any Subscription)?
  }

  private let state = Lock(State())
  private let initialDemand: Subscribers.Demand
  private let scheduler: TestScheduler?
  private let whenSubscribed: @Sendable (TestSubscriber) -> Void
  private let demandFor: @Sendable (TestSubscriber, Input) -> Subscribers.Demand
  private let whenCompleted: @Sendable (TestSubscriber) -> Void

  /// Makes a subscriber.
  ///
  /// - Parameters:
  ///   - initialDemand: What it asks for when it is told of its subscription.
  ///   - scheduler: Whose time is noted with each call; none if nil.
  ///   - demandFor: Called inside `receive(_:)`; returns how many more values it allows.
  ///   - whenSubscribed: Called inside `receive(subscription:)`, after the initial demand was asked
  ///     for.
  ///   - whenCompleted: Called inside `receive(completion:)`.
  @preconcurrency
  public init(
    initialDemand: Subscribers.Demand = .unlimited,
    scheduler: TestScheduler? = nil,
    demandFor: @escaping @Sendable (TestSubscriber, Input) -> Subscribers.Demand = { _, _ in .none
    },
    whenSubscribed: @escaping @Sendable (TestSubscriber) -> Void = { _ in },
    whenCompleted: @escaping @Sendable (TestSubscriber) -> Void = { _ in }
  ) {
    self.initialDemand = initialDemand
    self.scheduler = scheduler
    self.whenSubscribed = whenSubscribed
    self.whenCompleted = whenCompleted
    self.demandFor = demandFor
  }

  /// Every call so far, in the order of arrival.
  public var events: [Event] { state.withLock { $0.ledger.events } }

  /// Every call so far and when it came, in the order of arrival; without a scheduler, no times.
  public var timedEvents: [TimedEvent<Input, Failure>] { state.withLock { $0.ledger.timedEvents } }

  /// Every value so far.
  public var values: [Input] {
    events.compactMap { if case .value(let value) = $0 { value } else { nil } }
  }

  /// The terminal, if it has come.
  public var completion: Subscribers.Completion<Failure>? {
    for case .completion(let completion) in events { return completion }
    return nil
  }

  /// What went against the contract, in words; empty if nothing did.
  public var violations: [String] { state.withLock { $0.ledger.violations } }

  /// What went against the contract and every call, as a text of several lines.
  public var report: String {
    let (events, violations) = state.withLock { ($0.ledger.timedEvents, $0.ledger.violations) }
    return Report(events, violations: violations).text
  }

  /// What it has asked for and not received yet.
  public var outstandingDemand: Subscribers.Demand { state.withLock { $0.ledger.demand } }

  /// The subscription that came first, also after the end.
  public var subscription: (any Subscription)? { state.withLock { $0.subscription } }

  /// Asks for more values; nothing happens before there is a subscription.
  ///
  /// - Parameter demand: How many more.
  public func request(_ demand: Subscribers.Demand) {
    let subscription = state.withLock { state in
      if state.subscription != nil { state.ledger.ask(for: demand) }
      return state.subscription
    }
    subscription?.request(demand)
  }

  /// Cancels the subscription, if there is one.
  public func cancel() {
    let subscription = state.withLock { state in
      if state.subscription != nil, state.ledger.isInside(thisThread()) {
        state.ledger.cancel(on: thisThread())
      }
      return state.subscription
    }
    guard let subscription else { return }
    subscription.cancel()
    // Booked when it has returned: this thread may have been stopped on its way into the call,
    // while another one delivered any number of values.
    state.withLock { $0.ledger.cancel(on: thisThread()) }
  }

  /// Records the subscription and asks for the initial demand.
  ///
  /// - Parameter subscription: The link to the publisher.
  public func receive(subscription: any Subscription) {
    let time = scheduler?.now
    state.withLock { state in
      state.ledger.enter(.subscription, on: thisThread(), at: time)
      if state.subscription == nil { state.subscription = subscription }
    }
    if initialDemand != .none { request(initialDemand) }
    whenSubscribed(self)
    leave()
  }

  /// Records a value.
  ///
  /// - Parameter input: The value.
  /// - Returns: What the closure for it returns.
  public func receive(_ input: Input) -> Subscribers.Demand {
    let time = scheduler?.now
    state.withLock { $0.ledger.enter(.value(input), on: thisThread(), at: time) }
    let demand = demandFor(self, input)
    leave(returning: demand)
    return demand
  }

  /// Records the terminal.
  ///
  /// - Parameter completion: Whether the publisher finished or failed.
  public func receive(completion: Subscribers.Completion<Failure>) {
    let time = scheduler?.now
    state.withLock { $0.ledger.enter(.completion(completion), on: thisThread(), at: time) }
    whenCompleted(self)
    leave()
  }

  private func leave(returning demand: Subscribers.Demand = .none) {
    state.withLock { $0.ledger.leave(returning: demand) }
  }
}

extension TestSubscriber: Sendable where Input: Sendable {}
