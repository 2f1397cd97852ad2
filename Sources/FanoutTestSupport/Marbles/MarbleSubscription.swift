// `@unchecked Sendable` invariant: all state is in `state`. Only the actions of one scheduler,
// which never overlap, and the subscriber they deliver to reach the values.

public import Fanout
internal import FanoutEngine

/// One subscription to a ``MarblePublisher``: one run of its line.
///
/// - Concurrency: every member may be used from any thread.
/// - Ownership: retains its subscriber and the rest of the run until it is cancelled or has
///   delivered the terminal. The scheduler retains it while something is left to deliver.
public final class MarbleSubscription<Output, Failure: Error>: Subscription,
  CustomStringConvertible, @unchecked Sendable
{
  private struct State {
    var subscriber: AnySubscriber<Output, Failure>?
    var demand = Subscribers.Demand.none
    var requests: [Subscribers.Demand] = []
    var droppedCount = 0
    var cancelledAt: TestScheduler.SchedulerTimeType?
    var scheduled: [Int] = []
  }

  private let state: Lock<State>
  private let scheduler: TestScheduler

  /// The time of the subscription, which is tick 0 of its line.
  public let subscribedAt: TestScheduler.SchedulerTimeType

  init(_ subscriber: AnySubscriber<Output, Failure>, on scheduler: TestScheduler) {
    state = Lock(State(subscriber: subscriber))
    self.scheduler = scheduler
    subscribedAt = scheduler.now
  }

  /// The time of the first cancellation, or nil if there was none.
  public var cancelledAt: TestScheduler.SchedulerTimeType? { state.withLock { $0.cancelledAt } }

  /// Every demand passed to `request(_:)`, in order.
  public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

  /// The number of values dropped for lack of demand.
  public var droppedCount: Int { state.withLock { $0.droppedCount } }

  /// Requests more values.
  ///
  /// - Parameter demand: The number of further values, which adds to earlier requests.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { state in
      state.requests.append(demand)
      state.demand += demand
    }
  }

  /// Ends the run and releases the subscriber.
  public func cancel() {
    let now = scheduler.now
    state.withLock { $0.cancelledAt = $0.cancelledAt ?? now }
    withExtendedLifetime(takeSubscriber()) {}
  }

  /// The text `MarbleSubscription`.
  public var description: String { "MarbleSubscription" }

  func begin(_ script: MarbleScript<Output, Failure>) {
    for step in script.steps {
      let time = subscribedAt.advanced(by: TestScheduler.SchedulerTimeType.Stride(step.tick))
      let delivery = MarbleDelivery(step.signals)
      let identity = scheduler.add(at: time) { [self] in delivery.signals.forEach(deliver) }
      let isOver = state.withLock { state in
        state.scheduled.append(identity)
        return state.subscriber == nil
      }
      // The cancel came before there was anything to remove from the scheduler.
      if isOver { return scheduler.remove(identity) }
    }
  }

  private func deliver(_ signal: MarbleScript<Output, Failure>.Signal) {
    switch signal {
    case .completion(let completion): takeSubscriber()?.receive(completion: completion)
    case .value(let value):
      let subscriber = state.withLock { state -> AnySubscriber<Output, Failure>? in
        guard let subscriber = state.subscriber else { return nil }
        guard state.demand > .none else {
          state.droppedCount += 1
          return nil
        }
        state.demand -= 1
        return subscriber
      }
      guard let more = subscriber?.receive(value) else { return }
      state.withLock { $0.demand += more }
    }
  }

  private func takeSubscriber() -> AnySubscriber<Output, Failure>? {
    let (subscriber, scheduled) = state.withLock { state in
      let taken = (state.subscriber, state.scheduled)
      state.subscriber = nil
      state.scheduled = []
      return taken
    }
    for identity in scheduled { scheduler.remove(identity) }
    return subscriber
  }
}
