internal import FanoutEngine

extension Publishers {
  /// A publisher that subscribes to its upstream, asks it and cancels it on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where the upstream is subscribed to, asked and cancelled.
    public let scheduler: Context
    /// What is said to the scheduler each time.
    public let options: Context.SchedulerOptions?

    /// Makes a publisher that subscribes to `upstream` on `scheduler`.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - scheduler: Where the upstream is subscribed to, asked and cancelled.
    ///   - options: What is said to the scheduler each time, or nil.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber, which is told of its subscription on the scheduler.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let place = ScheduledPlace(scheduler, options)
      let inner = Inner(Body(downstream: subscriber), place: place)
      place.schedule { [upstream] in upstream.receive(subscriber: inner) }
    }
  }
}

extension Publishers.SubscribeOn: Sendable
where Upstream: Sendable, Context: Sendable, Context.SchedulerOptions: Sendable {}

extension Publishers.SubscribeOn {
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {}

  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    typealias Input = Upstream.Output
    typealias Failure = Upstream.Failure

    /// Needed once, for the upstream's subscription.
    let place: Lock<ScheduledPlace<Context>?>

    init(_ body: Body<Downstream>, place: ScheduledPlace<Context>) {
      self.place = Lock(place)
      super.init(body, name: "SubscribeOn")
    }

    /// The upstream's cancel comes later, on the scheduler, so it guards nothing.
    override var passesGuard: Bool { false }

    override func source(of subscription: any Subscription) -> DeliverySource {
      let source = deliverySource(of: subscription)
      let place = place.withLock { place in
        defer { place = nil }
        return place
      }
      return place.map { ScheduledSource(source, place: $0) } ?? source
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { $0.downstream.receive(input) } ?? .none
    }

    package override var heldReferences: [HeldReference] {
      let known = place.withLock { $0 }.map { [HeldReference.value("place", $0)] } ?? []
      return super.heldReferences + known
    }
  }
}

extension Publisher {
  /// Subscribes to this publisher, asks it and cancels it at the place of a scheduler.
  ///
  /// It is for a publisher that works where it is subscribed to or asked. Values pass straight
  /// through, on whatever thread they come.
  ///
  /// - Demand: passed to the upstream as it is, on the scheduler; what `receive(_:)` returns at once.
  /// - Completion, failure: pass straight through.
  /// - Cancel: the subscriber is let go of at once, the upstream is cancelled on the scheduler. There it
  ///   comes behind what the scheduler is doing, which may be a long request.
  /// - Concurrency: `subscribe(_:)` returns before anything happens, if the scheduler runs nothing
  ///   at once. A cancel that comes before the upstream was subscribed to waits for that.
  /// - Ownership: an action that is scheduled retains what it subscribes or cancels until it has run.
  ///
  /// - Parameters:
  ///   - scheduler: Where the upstream is subscribed to, asked and cancelled.
  ///   - options: What is said to the scheduler each time, or nil.
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
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}
