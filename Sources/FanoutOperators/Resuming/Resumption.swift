public import FanoutCore
internal import FanoutEngine

/// The way in which an operator continues with another publisher when one ends.
///
/// `catch`, `retry` and `append` differ in this alone. `Operator` is the operator, after which its
/// receivers are named.
package struct Resumption<Operator, State, Output, UpstreamFailure: Error, Failure: Error> {
  /// The closure that says how an end goes on; formed where the types are known, and it captures
  /// nothing.
  ///
  /// It is called first without a receiver, and sets the completion that the subscriber receives,
  /// unless another publisher follows. If one does, it is called once more, when the upstream is
  /// released, and returns a call that attaches the receiver to that publisher, or nil if it has
  /// failed the receiver.
  package typealias Decide = (
    State, Subscribers.Completion<UpstreamFailure>, SubscribedNode<Output, Failure>?,
    inout Subscribers.Completion<Failure>?
  ) -> (() -> Void)?

  let decide: Decide
  /// The operator's own values, which the closure is passed.
  let state: State
}

extension Publisher {
  /// Returns the receiver of the upstream of this operator, if a cancel did not come first.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - state: The operator's own values, which the closure is passed.
  ///   - decide: The closure that says how an end goes on; see ``Resumption/Decide``.
  /// - Returns: The receiver, or nil.
  @usableFromInline
  func makeReceiver<UpstreamFailure, State>(
    _ downstream: ErasedSubscriber<Output, Failure>, _ state: State,
    decide:
      @escaping (
        State, Subscribers.Completion<UpstreamFailure>, SubscribedNode<Output, Failure>?,
        inout Subscribers.Completion<Failure>?
      ) -> (() -> Void)?
  ) -> ResumingReceiver<Self, State, Output, UpstreamFailure, Failure>? {
    Resumption<Self, State, Output, UpstreamFailure, Failure>(decide: decide, state: state)
      .makeReceiver(for: downstream)
  }
}

extension Resumption {
  /// Returns the receiver of the upstream for a subscriber that other publishers will continue to
  /// serve; nil if that is a receiver which was cancelled.
  func makeReceiver(
    for downstream: ErasedSubscriber<Output, Failure>
  ) -> ResumingReceiver<Operator, State, Output, UpstreamFailure, Failure>? {
    if let recovery = downstream.receiver as? ResumedReceiver<Output, Failure>, recovery.isFree {
      return recovery.goOn(with: self)
    }
    return ResumingSubscription(self, downstream: downstream)
  }

  /// Puts another receiver into the chain, and lets the operator attach it to the publisher that
  /// follows.
  ///
  /// `outstanding` closes the account of the previous receiver. That happens when the new one is in
  /// the chain, so that a request that finds the account closed finds the new receiver.
  func goOn(
    after end: Subscribers.Completion<UpstreamFailure>, in chain: ResumingChain,
    _ downstream: ErasedSubscriber<Output, Failure>, asking outstanding: () -> Credit
  ) {
    let recovery = Recovery<Operator, Output, Failure>(downstream, in: chain)
    guard chain.goOn(with: recovery) else { return }
    _ = recovery.note(outstanding())
    var last: Subscribers.Completion<Failure>?
    if let attach = decide(state, end, recovery, &last) { recovery.begin(attach) }
  }
}
