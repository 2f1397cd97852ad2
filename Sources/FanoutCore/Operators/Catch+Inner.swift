// Unsafe cast: `next` is set to a `Recovery` of the same type only.

public import FanoutEngine
public import Synchronization

extension Publishers.Catch {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline let handler: @Sendable (Upstream.Failure) -> NewPublisher

    @inlinable
    init(
      downstream: Downstream, handler: @escaping @Sendable (Upstream.Failure) -> NewPublisher
    ) {
      self.handler = handler
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.closure("handler", handler)]
    }
  }

  /// Receives from the upstream, and is the subscriber's subscription to both publishers.
  @usableFromInline
  final class Inner<Downstream: Subscriber>: OperatorSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == NewPublisher.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// What was asked for and not delivered; closed when `next` takes over.
    @usableFromInline let outstanding = OutstandingCredit()
    @usableFromInline let isCancelled = AtomicValue<Bool>(false)
    /// Who goes on after a failure.
    @usableFromInline let next = OnceReference()

    @usableFromInline
    override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    /// The subscriber goes on receiving when the upstream and its deliveries are over.
    @usableFromInline override var passesGuard: Bool { false }

    var recovery: Recovery<Downstream>? {
      next.object.map { unsafeDowncast($0, to: Recovery<Downstream>.self) }
    }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none else { return }
      if outstanding.add(credit) {
        stage.request(credit)
      } else {
        recovery?.request(credit)
      }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { body in
        outstanding.spendOne()
        let demand = body.downstream.receive(input)
        guard demand != .none, !outstanding.add(demand.credit) else { return demand }
        return passOn(demand)
      } ?? .none
    }

    /// The upstream failed inside the call that returned this.
    @usableFromInline
    func passOn(_ demand: Subscribers.Demand) -> Subscribers.Demand {
      recovery?.request(demand.credit)
      return .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      guard case .failure(let error) = completion else { return end(.finished) }
      guard let (publisher, recovery) = recover(from: error) else { return }
      // Who cancelled in the handler has closed it.
      if !recovery.stage.isClosed { publisher.receive(subscriber: recovery) }
    }

    /// Lets go of the upstream, puts another receiver in this one's place, and has the handler make
    /// the publisher for it, whose closure is let go when this returns.
    func recover(from error: Upstream.Failure) -> (NewPublisher, Recovery<Downstream>)? {
      guard let (downstream, handler) = finish(taking: { ($0.downstream, $0.handler) }) else {
        return nil
      }
      let recovery = Recovery(downstream)
      next.setAlone(recovery)
      // Before it is looked for a cancel: one that comes later finds the receiver.
      if isCancelled.load(ordering: .sequentiallyConsistent) {
        recovery.cancel()
        return nil
      }
      // Before more can be added elsewhere: who finds the account closed finds the receiver.
      recovery.request(outstanding.close())
      return (handler(error), recovery)
    }

    @usableFromInline
    override func willCancel() {
      isCancelled.store(true, ordering: .sequentiallyConsistent)
      recovery?.cancel()
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + (next.object.map { [.value("next", $0)] } ?? [])
    }
  }
}
