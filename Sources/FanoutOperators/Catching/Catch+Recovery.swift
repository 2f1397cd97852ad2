public import FanoutCore
public import FanoutEngine

extension Publishers.Catch {
  /// The part of a receiver that is released as a whole.
  @usableFromInline
  package final class CaughtBody<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == Upstream.Output {
    @usableFromInline
    package override init(downstream: Downstream) {
      super.init(downstream: downstream)
    }
  }

  /// The receiver of the replacement.
  @usableFromInline
  package final class Recovery<Downstream: Subscriber>: CatchRecovery<
    Upstream.Output, NewPublisher.Failure
  >,
  Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = NewPublisher.Failure

    @usableFromInline package let stage: ReceiverStage<CaughtBody<Downstream>>

    init(_ downstream: Downstream, in chain: CatchChain) {
      stage = ReceiverStage(CaughtBody(downstream: downstream))
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

    @usableFromInline
    package override func goOn<Other: Publisher, Next: Publisher>(
      with publisher: Publishers.Catch<Other, Next>
    ) -> Bool where Other.Output == Input, Next.Output == Input, Next.Failure == Failure {
      guard stage.withBody({ $0.adopted == nil }) ?? true else { return false }
      guard let downstream = stage.finish(for: self, taking: { $0.downstream }) else { return true }
      let chain = chain ?? CatchChain()
      let attempt = Publishers.Catch<Other, Next>.Attempt(downstream, publisher.handler, in: chain)
      guard chain.goOn(with: attempt) else { return true }
      _ = attempt.request(handOver())
      publisher.upstream.receive(subscriber: attempt)
      return true
    }

    package override func ask(_ credit: Credit) { stage.request(credit) }

    @usableFromInline
    package override func cancel() { stage.cancel(for: self) }

    @usableFromInline
    package override func _sourceDidQuiesce() { stage.release() }
  }

  /// The receiver of the upstream of a `catch` that is itself a replacement.
  @usableFromInline
  package final class Attempt<Downstream: Subscriber>: CaughtReceiver, Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    package let stage: ReceiverStage<Body<Downstream>>
    /// The requested but undelivered demand; closed when another receiver takes over.
    let outstanding = OutstandingCredit()

    init(
      _ downstream: Downstream, _ handler: @escaping @Sendable (Failure) -> NewPublisher,
      in chain: CatchChain
    ) {
      stage = ReceiverStage(Body(downstream: downstream, handler: handler))
      super.init(in: chain)
    }

    package override func request(_ credit: Credit) -> Bool {
      outstanding.add(credit) && super.request(credit)
    }

    package override func ask(_ credit: Credit) { stage.request(credit) }

    @usableFromInline
    package func receive(subscription: any Subscription) {
      if stage.attach(deliverySource(of: subscription), for: self) { didAttach() }
    }

    @usableFromInline
    package func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody {
        outstanding.deliver(input, to: $0.downstream) { chain?.request($0) }
      } ?? .none
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      guard case .failure(let error) = completion else {
        stage.finish(for: self, taking: { $0.downstream })?.receive(completion: .finished)
        return
      }
      guard let body = stage.finish(for: self, taking: { ($0.downstream, $0.handler) }) else {
        return
      }
      let chain = chain ?? CatchChain()
      Publishers.Catch<Upstream, NewPublisher>.recover(
        from: error, in: chain, body.0, body.1, asking: { outstanding.close() })
    }

    @usableFromInline
    package override func cancel() { stage.cancel(for: self) }

    @usableFromInline
    package override func _sourceDidQuiesce() { stage.release() }
  }

  /// Puts another receiver into the chain, and calls the handler for the replacement.
  ///
  /// `outstanding` closes the account of the previous receiver. That happens when the new one is in
  /// the chain, so that a request that finds the account closed finds the new receiver.
  static func recover<Downstream: Subscriber>(
    from error: Upstream.Failure, in chain: CatchChain, _ downstream: Downstream,
    _ handler: @Sendable (Upstream.Failure) -> NewPublisher, asking outstanding: () -> Credit
  ) where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    let recovery = Recovery(downstream, in: chain)
    guard chain.goOn(with: recovery) else { return }
    _ = recovery.request(outstanding())
    let publisher = handler(error)
    chain.steps.run {
      // A cancel inside the handler has closed it.
      if !recovery.stage.isClosed { publisher.receive(subscriber: recovery) }
    }
  }
}
