public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of two publishers, as they arrive.
  public struct Merge<A: Publisher, B: Publisher>: Publisher, MergedTypes
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The publisher that is subscribed to first.
    public let a: A
    /// The publisher that is subscribed to second.
    public let b: B

    /// Creates a publisher of the values of two publishers.
    ///
    /// - Parameters:
    ///   - a: The publisher that is subscribed to first.
    ///   - b: The publisher that is subscribed to second.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches the specified subscriber, which receives its subscription before the two publishers
    /// are subscribed to.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == A.Output, S.Failure == Failure {
      let merging = ErasedSubscriber(subscriber).beginMerging(name: "Merge")
      merging.join(a)
      merging.join(b)
      merging.noMoreCome()
    }
  }
}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

/// The subscription to several publishers that are known from the start.
final class Merging<Output, Failure: Error>: MergedSubscription<Output, Output, Failure> {}

extension ErasedSubscriber {
  /// Returns a subscription to several publishers that are known from the start, which the
  /// subscriber has received.
  @usableFromInline
  func beginMerging(name: StaticString) -> JoiningSubscription<Input, Input, Failure> {
    let merging = Merging(downstream: self, name: name)
    merging.begin()
    return merging
  }
}

extension Publisher {
  /// Combines the values of this and another publisher, as they arrive.
  ///
  /// ![Every value of both arrives as it comes. The subscriber finishes when both have.](merge)
  ///
  /// - Demand: exact. Each publisher is asked for one value at a time, and for the next one when
  ///   that value has been delivered. If the subscriber requests everything, so does the operator.
  /// - Completion: when both have finished.
  /// - Failure: of either. It cancels the other, and arrives behind the waiting values.
  /// - Cancel: cancels both.
  /// - Concurrency: the two may deliver on different threads. One of these threads delivers for
  ///   both, also the values that the other brings meanwhile. The values of one publisher stay in
  ///   order.
  ///
  /// - Parameter other: The other publisher, which is subscribed to second.
  /// - Returns: A publisher of the values of both.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let keys = PassthroughSubject<String, Never>()
  /// let clicks = PassthroughSubject<Int, Never>()
  /// let events = keys.merge(with: clicks.map { "click \($0)" }).sink { print($0) }
  /// keys.send("a")
  /// clicks.send(1)
  /// keys.send("b")
  /// events.cancel()
  /// // Prints:
  /// // a
  /// // click 1
  /// // b
  /// ```
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }
}
