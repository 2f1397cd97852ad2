public import Fanout
internal import FanoutEngine

/// An upstream that delivers what a line of marbles says, in virtual time, to each subscriber anew.
///
/// It is made by ``TestScheduler/cold(_:values:)``. Each subscriber has a run of its own, that
/// begins with tick 0 of the line when it subscribes. Nothing is delivered inside `subscribe`: the
/// first tick comes at the next advance, also at one by zero. Runs that meet in a tick come in the
/// order in which they were subscribed to.
///
/// - Demand: time does not wait. A value that comes when nobody has asked for it is dropped, as a
///   `PassthroughSubject` drops it, and counted in ``MarbleSubscription/droppedCount``. The terminal
///   needs no demand.
/// - Cancel: takes what is left of the run off the scheduler, at once.
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

  /// What each subscriber is delivered.
  public var marbles: Marbles { script.marbles }

  /// Every subscription that was ever made, in order.
  public var subscriptions: [MarbleSubscription<Output, Failure>] { state.withLock { $0 } }

  /// Attaches a subscriber, and begins a run for it.
  ///
  /// - Parameter subscriber: Who is delivered to.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = MarbleSubscription(AnySubscriber(subscriber), on: scheduler)
    state.withLock { $0.append(subscription) }
    subscriber.receive(subscription: subscription)
    // Not before: another thread may be advancing.
    subscription.begin(script)
  }
}

extension MarblePublisher: Sendable where Output: Sendable {}
