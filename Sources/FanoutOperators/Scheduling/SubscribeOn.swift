public import FanoutCore
public import FanoutEngine

extension Publishers {
  /// A publisher that subscribes to its upstream, requests and cancels on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler on which the upstream is subscribed to, requested from and cancelled.
    public let scheduler: Context
    /// The options passed with every scheduled action.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that subscribes to the specified upstream on a scheduler.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - scheduler: The scheduler on which the upstream is subscribed to, requested from and
    ///     cancelled.
    ///   - options: The options passed with every scheduled action, or nil.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches the specified subscriber, which receives its subscription on the scheduler.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      let inner = Inner(subscriber, scheduler, options)
      let work = ScheduledWork.other { [upstream] in upstream.receive(subscriber: inner) }
      scheduler.schedule(options: options) { work.run() }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

extension Publishers.SubscribeOn {
  @_fixed_layout
  @usableFromInline package final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {}

  @usableFromInline
  package final class Inner<Downstream: Subscriber>: OperatorSubscription<
    Body<Downstream>, Downstream
  >,
  Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    /// The scheduler, needed once, for the upstream's subscription.
    package let place: Lock<(scheduler: Context, options: Context.SchedulerOptions?)?>

    @usableFromInline
    init(
      _ downstream: Downstream, _ scheduler: Context, _ options: Context.SchedulerOptions?
    ) {
      place = Lock((scheduler, options))
      super.init(Body(downstream: downstream), name: "SubscribeOn")
    }

    /// False: the upstream's cancel comes later, on the scheduler, so fusion is not passed on.
    package override var passesGuard: Bool { false }

    package override func source(of subscription: any Subscription) -> DeliverySource {
      let source = deliverySource(of: subscription)
      return place.take().map { ScheduledSource(source, $0.scheduler, $0.options) } ?? source
    }

    @inlinable
    package func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      stage.withBody { $0.downstream.receive(input) } ?? .none
    }
  }
}

extension Publisher {
  /// Subscribes to this publisher, requests from it and cancels it on the specified scheduler.
  ///
  /// Use this operator for a publisher that works on the thread that subscribes or requests. Values
  /// pass straight through, on the thread on which they arrive.
  ///
  /// - Demand: passed to the upstream unchanged, on the scheduler; the demand that `receive(_:)`
  ///   returns is passed at once.
  /// - Completion, failure: pass straight through.
  /// - Cancel: the subscriber is released at once; the upstream is cancelled on the scheduler.
  ///   There the cancel waits for what the scheduler is doing, which may be a long request.
  /// - Concurrency: `subscribe(_:)` returns before anything happens, unless the scheduler runs
  ///   actions at once. A cancel that arrives before the upstream was subscribed to waits for that.
  /// - Ownership: a scheduled action retains what it subscribes or cancels until it has run.
  ///
  /// - Parameters:
  ///   - scheduler: The scheduler on which the upstream is subscribed to, requested from and
  ///     cancelled.
  ///   - options: The options passed with every scheduled action, or nil.
  /// - Returns: A publisher of the same values.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let scheduler = TestScheduler()
  /// let work = Deferred { () -> Just<String> in
  ///   print("working")
  ///   return Just("done")
  /// }
  /// let running = work.subscribe(on: scheduler).sink { print($0) }
  /// print("subscribed")
  /// scheduler.advance(by: 0)
  /// running.cancel()
  /// // Prints:
  /// // subscribed
  /// // working
  /// // done
  /// ```
  @preconcurrency
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S>
  where Self: Sendable {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}
