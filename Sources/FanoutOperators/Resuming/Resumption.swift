public import FanoutCore

/// The decision of an operator that continues with another publisher when one ends.
///
/// `catch`, `retry` and `append` differ in this alone.
@usableFromInline
package protocol Resumption<Upstream, Next> {
  /// The publisher that is subscribed to first.
  associatedtype Upstream: Publisher
  /// The publisher that follows.
  associatedtype Next: Publisher where Next.Output == Upstream.Output
  /// The output of both publishers.
  ///
  /// It has a name of its own, and so has ``Failure``: otherwise the compiler would call a receiver's input by that
  /// of its subscriber, and a chain of such operators would have the runtime look up one inside the other.
  associatedtype Output = Upstream.Output where Output == Upstream.Output
  /// The failure of the publisher that follows.
  associatedtype Failure: Error = Next.Failure where Failure == Next.Failure

  /// The operator's description.
  static var name: StaticString { get }

  /// The information that the step needs to continue.
  associatedtype Reason

  /// Decides at the end of the first publisher.
  func decide(
    _ completion: Subscribers.Completion<Upstream.Failure>
  ) -> ResumptionDecision<Reason, Next.Failure>

  /// Returns the publisher that follows, or the failure in its place.
  ///
  /// It is called once at most, when the upstream is released.
  func next(after reason: Reason) -> Result<Next, Next.Failure>
}

/// The event that follows the end of a publisher.
@usableFromInline
package enum ResumptionDecision<Reason, Failure: Error> {
  /// Nothing: the subscriber receives the completion.
  case ends(Subscribers.Completion<Failure>)
  /// Another publisher.
  case continues(Reason)
}

@available(*, unavailable)
extension ResumptionDecision: Sendable {}

extension Publisher {
  /// Attaches a subscriber that another publisher will continue to serve.
  ///
  /// `attach` attaches the receiver to the publisher that follows. It is formed by the operator, so that it is
  /// specialised, unless a publisher is followed by one of its kind.
  @inlinable
  func receive<Step: Resumption, S: Subscriber>(
    _ step: Step, subscriber: S,
    attach: ((Step.Next, Resuming<Step>.Recovery<S>) -> Void)? = nil
  )
  where Step.Upstream == Self, S.Input == Output, S.Failure == Step.Failure {
    if let recovery = subscriber as? ResumedReceiver<Output, S.Failure>,
      recovery.goOn(with: step, on: self)
    {
      return
    }
    receive(
      subscriber: Resuming<Step>.Inner(
        Resuming<Step>.Body(downstream: subscriber, step: step, attach: attach), name: Step.name))
  }
}
