public import FanoutCore
internal import FanoutEngine

/// The way in which an operator continues with another publisher when one ends.
///
/// `catch`, `retry` and `append` differ in this alone. `Operator` is the operator, after which its receivers are named.
package struct Resumption<Operator, Output, UpstreamFailure: Error, Failure: Error> {
  /// Returns a call that attaches a receiver to the publisher that follows an end, or nil if it has failed the
  /// receiver; formed where the types are known.
  ///
  /// It is called once at most, when the upstream is released.
  package typealias Follow = (
    Subscribers.Completion<UpstreamFailure>, SubscribedNode<Output, Failure>
  ) -> (() -> Void)?

  /// The operator's description.
  let name: StaticString
  /// Returns the completion that the subscriber receives, or nil if another publisher follows.
  let end: (Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure>?
  package let follow: Follow
}

@available(*, unavailable)
extension Resumption: Sendable {}

extension Publisher {
  /// Returns the receiver of the upstream of this operator, if a cancel did not come first.
  ///
  /// - Parameters:
  ///   - downstream: The subscriber.
  ///   - name: The operator's description.
  ///   - end: The closure that returns the completion that the subscriber receives, or nil if another publisher
  ///     follows.
  ///   - follow: The closure that returns a call which attaches a receiver to that publisher.
  /// - Returns: The receiver, or nil.
  @usableFromInline
  func makeReceiver<UpstreamFailure>(
    _ downstream: ErasedSubscriber<Output, Failure>, name: StaticString,
    end: @escaping (Subscribers.Completion<UpstreamFailure>) -> Subscribers.Completion<Failure>?,
    follow:
      @escaping (
        Subscribers.Completion<UpstreamFailure>, SubscribedNode<Output, Failure>
      ) -> (() -> Void)?
  ) -> ResumingReceiver<Self, Output, UpstreamFailure, Failure>? {
    Resumption<Self, Output, UpstreamFailure, Failure>(name: name, end: end, follow: follow)
      .makeReceiver(for: downstream)
  }
}

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
    if let attach = follow(end, recovery) { recovery.begin(attach) }
  }
}
