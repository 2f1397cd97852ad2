public import FanoutEngine

extension Publishers.HandleEvents {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    @usableFromInline let receiveOutput: (@Sendable (Output) -> Void)?
    @usableFromInline let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    @usableFromInline let receiveCancel: (@Sendable () -> Void)?
    @usableFromInline let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    @usableFromInline
    init(downstream: Downstream, events: Publishers.HandleEvents<Upstream>) {
      receiveSubscription = events.receiveSubscription
      receiveOutput = events.receiveOutput
      receiveCompletion = events.receiveCompletion
      receiveCancel = events.receiveCancel
      receiveRequest = events.receiveRequest
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      let closures: [(String, Any?)] = [
        ("receiveSubscription", receiveSubscription), ("receiveOutput", receiveOutput),
        ("receiveCompletion", receiveCompletion), ("receiveCancel", receiveCancel),
        ("receiveRequest", receiveRequest),
      ]
      return super.heldReferences
        + closures.compactMap { name, closure in closure.map { .closure(name, $0) } }
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: ObservedSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    let seesDemand: Bool

    @usableFromInline
    init(_ body: Body<Downstream>) {
      seesDemand = body.receiveSubscription != nil || body.receiveRequest != nil
      super.init(body, name: "HandleEvents")
    }

    /// A subscriber that is adopted is not told of its subscription, and does not request.
    @usableFromInline override var passesGuard: Bool { !seesDemand }

    @usableFromInline
    override func willHandOn(_ subscription: any Subscription) {
      _ = stage.withBody { $0.receiveSubscription?(subscription) }
    }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none else { return }
      observe { $0.receiveRequest?(credit.demand) }
      stage.request(credit)
    }

    @usableFromInline
    override func observeCancel(_ body: Body<Downstream>) { body.receiveCancel?() }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { pass(input, $0, isGuarded: false) } ?? .none
    }

    @inlinable
    @inline(__always)
    func _receiveGuarded(_ input: Input) -> Subscribers.Demand {
      stage.deliver {
        pass(input, $0, isGuarded: true)
      } otherwise: {
        receive(input)
      }
    }

    @inlinable
    @inline(__always)
    func pass(
      _ input: Input, _ body: Body<Downstream>, isGuarded: Bool
    ) -> Subscribers.Demand {
      guard !isCancelling else { return .none }
      body.receiveOutput?(input)
      // The closure may have cancelled.
      guard !stage.isClosed, !isCancelling else { return .none }
      let demand = body.downstream.receive(input, isGuarded: isGuarded)
      if demand != .none, let receiveRequest = body.receiveRequest, !stage.isClosed, !isCancelling {
        receiveRequest(demand)
      }
      return demand
    }

    @usableFromInline
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      observe { $0.receiveCompletion?(completion) }
      if !isCancelling { end(completion) }
    }
  }
}
