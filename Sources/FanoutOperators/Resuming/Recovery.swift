// Unsafe cast: the body of the stage is the one that the initialiser made.

package import FanoutCore
package import FanoutEngine

/// The part of the receiver of a publisher that follows which is released as a whole.
package final class ResumedBody<Operator, Output, Failure: Error>: ReceiverBody {
  package let downstream: ErasedSubscriber<Output, Failure>

  init(downstream: ErasedSubscriber<Output, Failure>) {
    self.downstream = downstream
    super.init()
  }
}

/// The receiver of a publisher that follows another, whatever the operator is.
package class ResumedReceiver<Output, Failure: Error>: SubscribedNode<Output, Failure> {
  /// Whether another operator that may continue, and is the whole publisher, may receive in place
  /// of this receiver: it does not receive from another publisher already.
  var isFree: Bool { false }

  /// Returns the receiver of such an operator, which takes the place of this one; nil if this was
  /// cancelled.
  ///
  /// So a recursion of `catch` does not build a chain of receivers that grows with each failure.
  func goOn<Operator, State, UpstreamFailure>(
    with resumption: Resumption<Operator, State, Output, UpstreamFailure, Failure>
  ) -> ResumingReceiver<Operator, State, Output, UpstreamFailure, Failure>? { nil }
}

/// The receiver of the publisher that follows.
package final class Recovery<Operator, Input, Failure: Error>: ResumedReceiver<Input, Failure>,
  ChainedReceiver
{
  // The stage does not know the type of its body: that would be looked up for each value.
  package let stage: ReceiverStage<ReceiverBody>
  /// The chain, not retained: every caller that requests or cancels retains it.
  private weak var chain: ResumingChain?
  let asking = EarlyCredit()

  init(_ downstream: ErasedSubscriber<Input, Failure>, in chain: ResumingChain) {
    stage = ReceiverStage(ResumedBody<Operator, Input, Failure>(downstream: downstream))
    self.chain = chain
    super.init(isPart: true)
  }

  /// Runs a call that attaches this receiver to the publisher that follows, after those that came
  /// before it.
  func begin(_ attach: @escaping () -> Void) {
    chain?.steps.run { [self] in
      // A cancel inside a closure of the operator's has closed it.
      if !stage.isClosed { attach() }
    }
  }

  package override func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    asking.pass { stage.request($0) }
    if chain?.disallowsDrops == true, disallowDrops() { _ = note(.unlimited) }
  }

  package override func receive(_ input: Input) -> Subscribers.Demand {
    stage.withBody {
      let downstream = downstream(in: $0)
      return downstream.calls.deliver(downstream.receiver, input).demand
    } ?? .none
  }

  package override func receive(completion: Subscribers.Completion<Failure>) {
    guard let downstream = stage.finish(for: self, taking: { downstream(in: $0) }) else { return }
    downstream.calls.ends.finish(downstream.receiver, completion)
  }

  @inline(__always)
  private func downstream(in body: ReceiverBody) -> ErasedSubscriber<Input, Failure> {
    unsafeDowncast(body, to: ResumedBody<Operator, Input, Failure>.self).downstream
  }

  override var isFree: Bool { stage.withBody { $0.adopted == nil } ?? true }

  override func goOn<Other, State, UpstreamFailure>(
    with resumption: Resumption<Other, State, Input, UpstreamFailure, Failure>
  ) -> ResumingReceiver<Other, State, Input, UpstreamFailure, Failure>? {
    guard let downstream = stage.finish(for: self, taking: { downstream(in: $0) }) else {
      return nil
    }
    let chain = chain ?? ResumingChain()
    let attempt = ResumingAttempt(resumption, downstream: downstream, in: chain)
    guard chain.goOn(with: attempt) else { return nil }
    _ = attempt.note(asking.handOver())
    return attempt
  }

  package func disallowDrops() -> Bool { stage.disallowDrops() }

  package func note(_ credit: Credit) -> Bool { asking.add(credit) { stage.request($0) } }

  package override func cancel() { stage.cancel(for: self) }

  package override func _sourceDidQuiesce() { stage.release() }
}
