// `@unchecked Sendable` invariant: all state is in `state`. Values are reached only by the actions
// of one scheduler, which never overlap, and by the subscriber that they deliver to.

public import Fanout
internal import FanoutEngine

/// One subscription to a ``MarblePublisher``: one run of its line.
///
/// - Concurrency: every member may be used from any thread.
/// - Ownership: retains its subscriber and what is left of the run until it is cancelled or has
///   delivered the terminal. The scheduler retains it while there is something left.
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

  /// When it was subscribed to, which is tick 0 of its line.
  public let subscribedAt: TestScheduler.SchedulerTimeType

  init(_ subscriber: AnySubscriber<Output, Failure>, on scheduler: TestScheduler) {
    state = Lock(State(subscriber: subscriber))
    self.scheduler = scheduler
    subscribedAt = scheduler.now
  }

  /// When it was cancelled for the first time, or nil if it was not.
  public var cancelledAt: TestScheduler.SchedulerTimeType? { state.withLock { $0.cancelledAt } }

  /// Every demand that it was asked for by `request(_:)`, in order.
  public var requests: [Subscribers.Demand] { state.withLock { $0.requests } }

  /// How many values it dropped because nobody had asked for them.
  public var droppedCount: Int { state.withLock { $0.droppedCount } }

  /// Allows more values.
  ///
  /// - Parameter demand: How many more; what it was asked for adds up.
  public func request(_ demand: Subscribers.Demand) {
    state.withLock { state in
      state.requests.append(demand)
      state.demand += demand
    }
  }

  /// Ends the run and lets go of the subscriber.
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
      // Cancelled before there was anything to take off the scheduler.
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
