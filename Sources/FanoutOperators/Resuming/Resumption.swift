public import FanoutCore
internal import FanoutEngine

/// The way in which an operator continues with another publisher when one ends.
///
/// `catch`, `retry` and `append` differ in this alone. `Operator` is the operator, after which its receivers are named.
@usableFromInline
package struct Resumption<Operator, Output, UpstreamFailure: Error, Failure: Error> {
  /// Attaches a receiver to the publisher that follows an end, or fails it; formed where the types are known.
  ///
  /// It is called once at most, when the upstream is released.
  @usableFromInline package typealias Follow = (
    Subscribers.Completion<UpstreamFailure>, Recovery<Operator, Output, Failure>
  ) -> Void

  /// The operator's description.
  let name: StaticString
  /// Returns the completion that the subscriber receives, or nil if another publisher follows.
  let end: (Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure>?
  package let follow: Follow
}

@available(*, unavailable)
extension Resumption: Sendable {}

extension Resumption {
  /// Returns the receiver of the upstream for a subscriber that other publishers will continue to serve; nil if that is
  /// a receiver which was cancelled.
  func makeReceiver(
    for downstream: ErasedSubscriber<Output, Failure>
  ) -> ResumingReceiver<Operator, Output, UpstreamFailure, Failure>? {
    if let recovery = downstream.receiver as? ResumedReceiver<Output, Failure>, recovery.isFree {
      return recovery.goOn(with: self)
    }
    return ResumingSubscription(self, downstream: downstream)
  }

  /// Puts another receiver into the chain, and lets the operator attach it to the publisher that follows.
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
    follow(end, recovery)
  }
}
