public import Fanout
internal import FanoutEngine

/// A subscriber whose demand a test drives by hand, and that checks the calls it receives.
///
/// It records every call and keeps an account of its demand. ``violations`` lists the calls that
/// break the contract: overlapping calls, also on one thread; a value without demand; a call before
/// the subscription or after the terminal; a call after a ``cancel()`` inside a call, or more than
/// one after a ``cancel()`` from elsewhere.
///
/// With a ``TestScheduler`` it records the time of each call in ``timedEvents``. ``report`` is the
/// text for a failing test: the violations and the whole record.
///
/// - Completion, cancel: keeps its subscription after both, so that a publisher that does not
///   release the subscriber shows up as a leak.
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
  ///   - initialDemand: The demand to request when the subscription arrives.
  ///   - scheduler: The scheduler whose time is recorded with each call; nil for no times.
  ///   - demandFor: The closure to call inside `receive(_:)`, which returns the additional demand.
  ///   - whenSubscribed: The closure to call inside `receive(subscription:)`, after the initial
  ///     request.
  ///   - whenCompleted: The closure to call inside `receive(completion:)`.
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

  /// Every call so far with its time, in the order of arrival; without a scheduler, no times.
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

  /// The calls that broke the contract, in words; empty if there are none.
  public var violations: [String] { state.withLock { $0.ledger.violations } }

  /// The violations and every call, as a text of several lines.
  public var report: String {
    let (events, violations) = state.withLock { ($0.ledger.timedEvents, $0.ledger.violations) }
    return Report(events, violations: violations).text
  }

  /// The requested values that have not come yet.
  public var outstandingDemand: Subscribers.Demand { state.withLock { $0.ledger.demand } }

  /// The first subscription, also after the end.
  public var subscription: (any Subscription)? { state.withLock { $0.subscription } }

  /// Requests more values; does nothing before there is a subscription.
  ///
  /// - Parameter demand: The number of further values.
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
    // Recorded only after the call has returned: this thread may have been stopped on its way into
    // the call, while another one delivered any number of values.
    state.withLock { $0.ledger.cancel(on: thisThread()) }
  }

  /// Records the subscription and requests the initial demand.
  ///
  /// - Parameter subscription: The subscription to the publisher.
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
  /// - Returns: The demand that `demandFor` returns.
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
