// Unsafe casts: `next` is set to a `ResumingChain` only, and the body of a stage is the one that
// the initialiser made.

public import FanoutCore
public import FanoutEngine
internal import Synchronization

/// The part of a receiver of the upstream that is released as a whole.
package final class ResumingBody<
  Operator, State, Output, UpstreamFailure: Error, Failure: Error
>: ReceiverBody {
  package typealias Decide = Resumption<Operator, State, Output, UpstreamFailure, Failure>.Decide

  package let downstream: ErasedSubscriber<Output, Failure>
  // Not as one: the type would be looked up.
  let decide: Decide
  package let state: State

  init(
    _ resumption: Resumption<Operator, State, Output, UpstreamFailure, Failure>,
    downstream: ErasedSubscriber<Output, Failure>
  ) {
    self.downstream = downstream
    decide = resumption.decide
    state = resumption.state
    super.init()
  }
}

/// The receiver of the upstream of an operator that continues with another publisher when one ends.
@usableFromInline
package class ResumingReceiver<Operator, State, Input, Failure: Error, OutputFailure: Error>:
  RelayedSource<ReceiverBody>, Subscriber
{
  // The stage does not know the type of its body: that would be looked up for each value.
  typealias Body = ResumingBody<Operator, State, Input, Failure, OutputFailure>

  // These are of a `ResumingSubscription`. In front of what is large they take no memory.
  package final let isCancelled = AtomicValue<Bool>(false)
  final let disallowsDrops = AtomicValue<Bool>(false)
  /// The requested but undelivered demand; closed when another receiver takes over.
  package final let outstanding = CreditAccount()

  /// The chain of the receivers that take over.
  package var chain: ResumingChain? { nil }

  @inline(__always)
  final func withBody<Result>(_ body: (Body) -> Result) -> Result? {
    stage.withBody { body(unsafeDowncast($0, to: Body.self)) }
  }

  /// Releases the upstream, and returns what the caller continues with; nil if a cancel came first.
  private func finish() -> (
    ErasedSubscriber<Input, OutputFailure>,
    Resumption<Operator, State, Input, Failure, OutputFailure>
  )? {
    finish { object in
      let body = unsafeDowncast(object, to: Body.self)
      return (body.downstream, Resumption(decide: body.decide, state: body.state))
    }
  }

  @usableFromInline
  package func receive(subscription: any Subscription) {}

  @usableFromInline
  package final func receive(_ input: Input) -> Subscribers.Demand {
    withBody { body in
      outstanding.takeOne()
      let more = body.downstream.calls.deliver(body.downstream.receiver, input)
      guard more != .none, !outstanding.add(more) else { return more.demand }
      // The upstream failed inside the call, and another receiver has taken over.
      chain?.request(more)
      return .none
    } ?? .none
  }

  @usableFromInline
  package final func receive(completion: Subscribers.Completion<Failure>) {
    beginIfEarly()
    var last: Subscribers.Completion<OutputFailure>?
    // A closure of the operator's may have cancelled, and then this ends nothing.
    guard withBody({ _ = $0.decide($0.state, completion, nil, &last) }) != nil else { return }
    let made = last == nil ? makeChain() : nil
    guard let (downstream, resumption) = finish() else { return }
    if let last { return downstream.calls.ends.finish(downstream.receiver, last) }
    let chain = made ?? chain ?? ResumingChain()
    guard adopt(chain) else { return }
    resumption.goOn(after: completion, in: chain, downstream, asking: { outstanding.close() })
  }

  /// Passes the subscription on, if the upstream ends before it has sent its own.
  func beginIfEarly() {}

  /// Returns the chain in which the next receiver takes over, if it has to know the upstream for
  /// that.
  func makeChain() -> ResumingChain? { nil }

  /// Notes the chain; returns false if a cancel came first.
  func adopt(_ chain: ResumingChain) -> Bool { true }
}

/// The receiver of the upstream, and the subscriber's subscription to the upstream and the
/// publishers that follow.
package final class ResumingSubscription<
  Operator, State, Input, Failure: Error, OutputFailure: Error
>: ResumingReceiver<Operator, State, Input, Failure, OutputFailure>, DescribedSubscription,
  ResumingSource
{
  /// The chain that takes over when the upstream has ended.
  package let next = AtomicReference()

  init(
    _ resumption: Resumption<Operator, State, Input, Failure, OutputFailure>,
    downstream: ErasedSubscriber<Input, OutputFailure>
  ) {
    super.init(ResumingBody(resumption, downstream: downstream), isPart: false)
  }

  package override var chain: ResumingChain? {
    next.object.map { unsafeDowncast($0, to: ResumingChain.self) }
  }

  package override func receive(subscription: any Subscription) {
    if attach(deliverySource(of: subscription)) { handOn() }
  }

  override func beginIfEarly() {
    if stage.noteEarlyEnd() { handOn() }
  }

  /// Passes this subscription to the subscriber.
  ///
  /// That must not fuse: it continues to receive when the upstream and its deliveries are over.
  private func handOn() {
    _ = withBody {
      $0.downstream.calls.ends.begin($0.downstream.receiver, self, mayFuse: false)
    }
  }

  package override func disallowDrops() -> Bool {
    disallowsDrops.store(true, ordering: .sequentiallyConsistent)
    return stage.disallowDrops() || chain?.disallowDrops() == true
  }

  package override func request(_ credit: Credit) {
    guard credit != .none else { return }
    if outstanding.add(credit) {
      stage.request(credit)
    } else {
      chain?.request(credit)
    }
  }

  package func request(_ demand: Subscribers.Demand) { request(demand.credit) }

  override func makeChain() -> ResumingChain? {
    ResumingChain(after: stage.withBody { $0.adopted } ?? nil)
  }

  override func adopt(_ chain: ResumingChain) -> Bool {
    next.setAlone(chain)
    // Checked once the chain can be found: from here on these calls find it.
    if disallowsDrops.load(ordering: .sequentiallyConsistent) { _ = chain.disallowDrops() }
    guard isCancelled.load(ordering: .sequentiallyConsistent) else { return true }
    chain.cancel()
    return false
  }

  package override func willCancel() {
    isCancelled.store(true, ordering: .sequentiallyConsistent)
    chain?.cancel()
  }

  /// The operator's name, without what it is made of.
  package var description: String { String("\(Operator.self)".prefix { $0 != "<" }) }
}

/// The receiver of the upstream of an operator that itself follows another publisher.
package final class ResumingAttempt<
  Operator, State, Input, Failure: Error, OutputFailure: Error
>:
  ResumingReceiver<Operator, State, Input, Failure, OutputFailure>, ChainedReceiver
{
  /// The chain, not retained: every caller that requests or cancels retains it.
  private weak var outer: ResumingChain?
  let asking = EarlyCredit()

  init(
    _ resumption: Resumption<Operator, State, Input, Failure, OutputFailure>,
    downstream: ErasedSubscriber<Input, OutputFailure>, in chain: ResumingChain
  ) {
    outer = chain
    super.init(ResumingBody(resumption, downstream: downstream), isPart: true)
  }

  package override var chain: ResumingChain? { outer }

  /// True: it is no source of its subscriber.
  package override var isOver: Bool { true }

  package override func receive(subscription: any Subscription) {
    guard attach(deliverySource(of: subscription)) else { return }
    asking.pass { stage.request($0) }
    if outer?.disallowsDrops == true, disallowDrops() { _ = note(.unlimited) }
  }

  package func note(_ credit: Credit) -> Bool {
    outstanding.add(credit) && asking.add(credit) { stage.request($0) }
  }
}
