public import FanoutCore
public import FanoutEngine

extension Resuming {
  /// The part of a receiver that is released as a whole.
  @usableFromInline
  package final class ResumedBody<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Step.Output {
    package override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }
  }

  /// The receiver of the publisher that follows.
  @usableFromInline
  package final class Recovery<Downstream: Subscriber>: ResumedReceiver<
    Step.Output, Step.Failure
  >,
  Subscriber
  where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline package typealias Input = Step.Output
    @usableFromInline package typealias Failure = Step.Failure

    @usableFromInline package let stage: ReceiverStage<ResumedBody<Downstream>>

    init(_ downstream: Downstream, in chain: ResumingChain) {
      stage = ReceiverStage(ResumedBody(downstream: downstream))
      super.init(in: chain)
    }

    @usableFromInline
    package func receive(subscription: any Subscription) {
      if stage.attach(deliverySource(of: subscription), for: self) { didAttach() }
    }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { $0.downstream.receive(input) } ?? .none
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      stage.finish(for: self, taking: { $0.downstream })?.receive(completion: completion)
    }

    package override func goOn<Other: Resumption>(with step: Other, on upstream: Other.Upstream)
      -> Bool
    where Other.Upstream.Output == Input, Other.Next.Failure == Failure {
      guard stage.withBody({ $0.adopted == nil }) ?? true else { return false }
      guard let downstream = stage.finish(for: self, taking: { $0.downstream }) else { return true }
      let chain = chain ?? ResumingChain()
      let attempt = Resuming<Other>.Attempt(downstream, step, in: chain)
      guard chain.goOn(with: attempt) else { return true }
      _ = attempt.request(handOver())
      upstream.receive(subscriber: attempt)
      return true
    }

    package override func ask(_ credit: Credit) { stage.request(credit) }

    package override func cancel() { stage.cancel(for: self) }

    package override func _sourceDidQuiesce() { stage.release() }
  }

  /// The receiver of the upstream of an operator that itself follows another publisher.
  package final class Attempt<Downstream: Subscriber>: ChainedReceiver, Subscriber
  where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    package typealias Input = Step.Output
    package typealias Failure = Step.Upstream.Failure

    package let stage: ReceiverStage<Body<Downstream>>
    /// The requested but undelivered demand; closed when another receiver takes over.
    let outstanding = OutstandingCredit()

    init(_ downstream: Downstream, _ step: Step, in chain: ResumingChain) {
      stage = ReceiverStage(Body(downstream: downstream, step: step))
      super.init(in: chain)
    }

    package override func request(_ credit: Credit) -> Bool {
      outstanding.add(credit) && super.request(credit)
    }

    package override func ask(_ credit: Credit) { stage.request(credit) }

    package func receive(subscription: any Subscription) {
      if stage.attach(deliverySource(of: subscription), for: self) { didAttach() }
    }

    package func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody {
        outstanding.deliver(input, to: $0.downstream) { chain?.request($0) }
      } ?? .none
    }

    package func receive(completion: Subscribers.Completion<Failure>) {
      guard let decision = stage.withBody({ $0.step.decide(completion) }) else { return }
      guard case .continues(let reason) = decision else {
        if case .ends(let completion) = decision { end(completion) }
        return
      }
      guard let body = stage.finish(for: self, taking: { ($0.downstream, $0.step) }) else { return }
      let chain = chain ?? ResumingChain()
      Resuming.goOn(
        after: reason, in: chain, body.0, body.1, attach: nil, asking: { outstanding.close() })
    }

    private func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
      stage.finish(for: self, taking: { $0.downstream })?.receive(completion: completion)
    }

    package override func cancel() { stage.cancel(for: self) }

    package override func _sourceDidQuiesce() { stage.release() }
  }

  /// Puts another receiver into the chain, and asks the step for the publisher that follows.
  ///
  /// `outstanding` closes the account of the previous receiver. That happens when the new one is in
  /// the chain, so that a request that finds the account closed finds the new receiver.
  static func goOn<Downstream: Subscriber>(
    after reason: Step.Reason, in chain: ResumingChain,
    _ downstream: Downstream, _ step: Step,
    attach: ((Step.Next, Recovery<Downstream>) -> Void)?, asking outstanding: () -> Credit
  ) where Downstream.Input == Output, Downstream.Failure == Failure {
    let recovery = Recovery(downstream, in: chain)
    guard chain.goOn(with: recovery) else { return }
    _ = recovery.request(outstanding())
    switch step.next(after: reason) {
    case .failure(let error): recovery.receive(completion: .failure(error))
    case .success(let publisher):
      chain.steps.run {
        // A cancel inside a closure of the step's has closed it.
        guard !recovery.stage.isClosed else { return }
        if let attach {
          attach(publisher, recovery)
        } else {
          publisher.receive(subscriber: recovery)
        }
      }
    }
  }
}
