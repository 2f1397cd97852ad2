public import Fanout
internal import FanoutEngine

/// An upstream that delivers a line of marbles, in virtual time, to each subscriber anew.
///
/// ``TestScheduler/cold(_:values:)`` makes it. Each subscriber has a run of its own, which begins
/// with tick 0 of the line at the subscription. `subscribe` itself delivers nothing: the first tick
/// comes with the next advance, even one by zero. Runs that meet in a tick deliver in the order of
/// their subscriptions.
///
/// - Demand: time does not wait. A value without demand is dropped, as a `PassthroughSubject` drops
///   it, and counted in ``MarbleSubscription/droppedCount``. The terminal needs no demand.
/// - Cancel: removes the rest of the run from the scheduler at once.
/// - Concurrency: every member may be used from any thread; delivers on the thread that advances
///   the scheduler.
/// - Ownership: retains its values, its scheduler and its subscriptions.
public final class MarblePublisher<Output, Failure: Error>: Publisher {
  private let script: MarbleScript<Output, Failure>
  private let scheduler: TestScheduler
  private let state = Lock<[MarbleSubscription<Output, Failure>]>([])

  init(_ script: MarbleScript<Output, Failure>, on scheduler: TestScheduler) {
    self.script = script
    self.scheduler = scheduler
  }

  /// The line that each subscriber receives.
  public var marbles: Marbles { script.marbles }

  /// Every subscription made so far, in order.
  public var subscriptions: [MarbleSubscription<Output, Failure>] { state.withLock { $0 } }

  /// Attaches a subscriber and begins a run for it.
  ///
  /// - Parameter subscriber: The subscriber to deliver to.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = MarbleSubscription(AnySubscriber(subscriber), on: scheduler)
    state.withLock { $0.append(subscription) }
    subscriber.receive(subscription: subscription)
    // Not earlier, because another thread may be advancing.
    subscription.begin(script)
  }
}

extension MarblePublisher: Sendable where Output: Sendable {}
