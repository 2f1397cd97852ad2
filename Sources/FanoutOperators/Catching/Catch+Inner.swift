// Unsafe cast: `next` is set to a `CatchChain` only.

public import FanoutCore
public import FanoutEngine
public import Synchronization

extension Publishers.Catch {
  @usableFromInline
  package final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline package let handler: @Sendable (Upstream.Failure) -> NewPublisher

    @inlinable
    init(
      downstream: Downstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.handler = handler
      super.init(downstream: downstream)
    }
  }

  /// The receiver of the upstream, and the subscriber's subscription to the upstream and the
  /// replacements.
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: OperatorSubscription<
    Body<Downstream>, Downstream
  >,
  Subscriber, CatchSource
  where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    /// The requested but undelivered demand; closed when the chain takes over.
    @usableFromInline package let outstanding = OutstandingCredit()
    @usableFromInline package let isCancelled = AtomicValue<Bool>(false)
    /// The chain that takes over after a failure.
    @usableFromInline package let next = AtomicLazyReference()

    @usableFromInline
    package override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    /// False: the subscriber continues to receive when the upstream and its deliveries are over.
    @usableFromInline package override var passesGuard: Bool { false }

    package var chain: CatchChain? { next.object.map { unsafeDowncast($0, to: CatchChain.self) } }

    @usableFromInline
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
    package func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      guard case .failure(let error) = completion else { return end(.finished) }
      let chain = CatchChain(after: stage.withBody { $0.adopted } ?? nil)
      // Releases the upstream.
      guard let body = finish(taking: { ($0.downstream, $0.handler) }) else { return }
      next.setAlone(chain)
      // Checked once the chain can be found: from here on a cancel finds it.
      if isCancelled.load(ordering: .sequentiallyConsistent) { return chain.cancel() }
      Publishers.Catch<Upstream, NewPublisher>.recover(
        from: error, in: chain, body.0, body.1, asking: { outstanding.close() })
    }

    @usableFromInline
    package override func willCancel() {
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      chain?.cancel()
    }
  }
}
