internal import FanoutEngine

extension Publishers {
  /// A publisher of the values of two publishers, as they come.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where A.Output == B.Output, A.Failure == B.Failure {
    /// The values of both.
    public typealias Output = A.Output
    /// The failure of either.
    public typealias Failure = A.Failure

    /// The publisher that is subscribed to first.
    public let a: A
    /// The other one.
    public let b: B

    /// Makes a publisher of the values of two publishers.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber, which is told of its subscription before the two are subscribed to.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let merging = Merging(downstream: subscriber, name: "Merge")
      merging.begin()
      merging.join(a)
      merging.join(b)
      merging.noMoreCome()
    }
  }
}

extension Publishers.Merge: Sendable where A: Sendable, B: Sendable {}
extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}

/// The subscription to several publishers that are known from the start.
@usableFromInline
final class Merging<Downstream: Subscriber>: MergedSubscription<Downstream> {
  @usableFromInline
  override init(downstream: Downstream, name: StaticString) {
    super.init(downstream: downstream, name: name)
  }
}

extension Publisher {
  /// Delivers the values of this and another publisher, as they come.
  ///
  /// - Demand: exact. Each is asked for one value at a time, and for the next when that was
  ///   delivered; or for everything, if the subscriber asks for everything.
  /// - Completion: when both have finished.
  /// - Failure: of either; cancels the other, and comes behind the values that wait.
  /// - Cancel: cancels both.
  /// - Concurrency: they may deliver on different threads. One of these delivers for both; what the
  ///   other brings meanwhile it delivers too. The values of one publisher stay in order.
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
