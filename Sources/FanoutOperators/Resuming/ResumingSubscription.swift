// Unsafe cast: `next` is set to a `ResumingChain` only.

public import FanoutCore
public import FanoutEngine
internal import Synchronization

/// The receivers of an operator that continues with another publisher when one ends.
@usableFromInline
package enum Resuming<Step: Resumption>: Sendable {
  /// The output of all publishers.
  package typealias Output = Step.Output
  /// The failure of the first publisher.
  package typealias UpstreamFailure = Step.Upstream.Failure
  /// The failure of the publisher that follows.
  package typealias Failure = Step.Failure
}

extension Resuming {
  @_fixed_layout
  @usableFromInline package final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline package let step: Step
    /// The closure that attaches the receiver to the publisher that follows, formed where the types are known;
    /// nil if that would go on for ever, as each publisher is followed by one of its kind.
    @usableFromInline let attach: ((Step.Next, Recovery<Downstream>) -> Void)?

    @inlinable
    init(
      downstream: Downstream, step: Step,
      attach: ((Step.Next, Recovery<Downstream>) -> Void)? = nil
    ) {
      self.step = step
      self.attach = attach
      super.init(downstream: downstream)
    }
  }

  /// The receiver of the upstream, and the subscriber's subscription to the upstream and the
  /// publishers that follow.
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: OperatorSubscription<
    Body<Downstream>, Downstream
  >,
  Subscriber, ResumingSource
  where Downstream.Input == Step.Output, Downstream.Failure == Step.Failure {
    @usableFromInline package typealias Input = Step.Output
    @usableFromInline package typealias Failure = Step.Upstream.Failure

    /// The requested but undelivered demand; closed when the chain takes over.
    @usableFromInline package let outstanding = OutstandingCredit()
    package let isCancelled = AtomicValue<Bool>(false)
    /// The chain that takes over when the upstream has ended.
    package let next = AtomicLazyReference()

    @usableFromInline
    package override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    /// False: the subscriber continues to receive when the upstream and its deliveries are over.
    package override var passesGuard: Bool { false }

    package var chain: ResumingChain? {
      next.object.map { unsafeDowncast($0, to: ResumingChain.self) }
    }

    package override func request(_ credit: Credit) {
      guard credit != .none else { return }
      if outstanding.add(credit) {
        stage.request(credit)
      } else {
        requestNext(credit)
      }
    }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { outstanding.deliver(input, to: $0.downstream, whenClosed: requestNext) }
        ?? .none
    }

    /// Passes a request to the chain, which has taken over.
    @usableFromInline
    package func requestNext(_ credit: Credit) { chain?.request(credit) }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Step.Upstream.Failure>) {
      beginIfEarly()
      // A closure of the step's may have cancelled, and then this ends nothing.
      guard let decision = stage.withBody({ $0.step.decide(completion) }) else { return }
      guard case .continues(let reason) = decision else {
        if case .ends(let completion) = decision { end(completion) }
        return
      }
      let chain = ResumingChain(after: stage.withBody { $0.adopted } ?? nil)
      // Releases the upstream.
      guard let body = finish(taking: { ($0.downstream, $0.step, $0.attach) })
      else { return }
      next.setAlone(chain)
      // Checked once the chain can be found: from here on a cancel finds it.
      if isCancelled.load(ordering: .sequentiallyConsistent) { return chain.cancel() }
      Resuming.goOn(
        after: reason, in: chain, body.0, body.1, attach: body.2,
        asking: { outstanding.close() })
    }

    package override func willCancel() {
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      chain?.cancel()
    }
  }
}
