public import FanoutEngine

/// The base of the operators' subscriptions, for the package's own operators.
///
/// The subscriber receives it as its subscription. It passes requests and cancels up, and releases
/// its body at the cancel and at the completion.
///
/// Operators call `receive(subscriber:)` of their upstream and not `subscribe(_:)`: if every stage
/// went through that one function, the optimiser would take a chain of stages for an endless
/// recursion and leave it unspecialised, which costs fifty times as much a value.
@_documentation(visibility: internal)
open class OperatorSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  RelayedSource<
    Body
  >, Subscription, CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible
{
  /// The operator's name, or nil if it shows its upstream's.
  package final let name: ConstantText?

  /// Creates a subscription that uses `body` for its deliveries.
  public init(_ body: Body, name: StaticString?) {
    self.name = name.map { ConstantText($0) }
    super.init(body)
  }

  /// Accepts the upstream's subscription, and passes this one to the subscriber.
  public final func receive(subscription: any Subscription) {
    guard attach(source(of: subscription)) else { return }
    willHandOn(subscription)
    handOn()
    didReceiveSubscription()
  }

  /// Runs with the upstream's subscription, before the subscriber receives this one.
  open func willHandOn(_ subscription: any Subscription) {}

  /// Returns the source that receives requests and cancels.
  open func source(of subscription: any Subscription) -> DeliverySource {
    deliverySource(of: subscription)
  }

  /// Runs after the subscriber has received its subscription.
  open func didReceiveSubscription() {}

  /// The credit that the operator itself requests at the start.
  open var creditOfItsOwn: Credit { .none }

  /// Whether a value is passed on within the upstream's delivery of it, and at no other time.
  open var passesGuard: Bool { true }

  open func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    beginIfEarly()
    end(completion)
  }

  /// Passes this subscription to the subscriber, if the upstream ends before it has sent its own.
  ///
  /// Called first at the end of the upstream: whatever comes of the end comes behind the
  /// subscription.
  public final func beginIfEarly() {
    if stage.noteEarlyEnd() { handOn() }
  }

  final func handOn() { _ = stage.withBody { $0.downstream.receive(subscription: self) } }

  /// Ends with the upstream: releases everything, then passes the completion to the subscriber.
  public final func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    finish(isEarly: false) { $0.receive(completion: completion) }
  }

  /// Ends before the upstream does: cancels the upstream, then passes the completion to the
  /// subscriber.
  public final func endEarly(_ completion: Subscribers.Completion<Downstream.Failure>) {
    finish(isEarly: true) { $0.receive(completion: completion) }
  }

  /// Releases everything, and then runs a closure with the subscriber, unless this has ended
  /// already.
  ///
  /// The subscriber lies in memory for one: code that is not specialised would look up the type of
  /// an optional.
  ///
  /// - Parameters:
  ///   - isEarly: Whether the upstream has not ended, and is cancelled.
  ///   - deliver: The closure, which delivers the end.
  public final func finish(isEarly: Bool, _ deliver: (Downstream) -> Void) {
    withUnsafeTemporaryAllocation(of: Downstream.self, capacity: 1) { memory in
      guard let slot = memory.baseAddress else { return }
      var isTaken = false
      let isOpen = finish(taking: { body -> Bool in
        if isEarly { body.withAdopted { $0.cancel() } }
        slot.initialize(to: body.downstream)
        isTaken = true
        return true
      })
      guard isTaken else { return }
      // What was released may have cancelled.
      if isOpen != nil { deliver(slot.pointee) }
      slot.deinitialize(count: 1)
    }
  }

  /// Requests values from the upstream.
  public final func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  /// The operator's name, or its upstream's description.
  public final var description: String {
    if let name { return "\(name)" }
    let upstream = stage.withBody { $0.adopted } ?? nil
    return upstream.map { String(describing: $0) } ?? "Empty"
  }
  /// The same as ``description``.
  public final var playgroundDescription: Any { description }
  /// A mirror without children.
  public final var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

/// The part of an operator that is released as a whole: its subscriber, closures and state.
@_documentation(visibility: internal)
@_fixed_layout
open class OperatorBody<Downstream: Subscriber>: ReceiverBody {
  /// The subscriber.
  public let downstream: Downstream

  /// Creates the part of an operator that is released as a whole.
  @inlinable
  public init(downstream: Downstream) {
    self.downstream = downstream
    super.init()
  }
}

extension OperatorSubscription {
  /// Fuses with a source, and lets the subscriber fuse with this subscription.
  ///
  /// Returns the initial demand, or nil if the subscriber has to receive its subscription.
  @inlinable
  public final func _fuse(_ source: DeliverySource) -> Credit? {
    guard passesGuard, stage.adoptGuard(source) else { return nil }
    let credit = stage.withBody { $0.downstream._fuse(self) } ?? nil
    return credit.map { $0 + creditOfItsOwn }
  }
}
