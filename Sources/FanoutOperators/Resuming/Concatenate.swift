public import FanoutCore

extension Publishers {
  /// A publisher of the values of one publisher, and then of another.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: Publisher
  where Prefix.Output == Suffix.Output, Prefix.Failure == Suffix.Failure {
    /// The output of both publishers.
    public typealias Output = Suffix.Output
    /// The failure of either publisher.
    public typealias Failure = Suffix.Failure

    /// The publisher that is subscribed to first.
    public let prefix: Prefix
    /// The publisher that is subscribed to when the first one has finished.
    public let suffix: Suffix

    /// Creates a publisher of the values of one publisher, and then of another.
    ///
    /// - Parameters:
    ///   - prefix: The publisher that is subscribed to first.
    ///   - suffix: The publisher that is subscribed to when the first one has finished.
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      prefix.receive(
        Step(suffix: suffix), subscriber: subscriber, attach: { $0.receive(subscriber: $1) })
    }
  }
}

extension Publishers.Concatenate: Sendable where Prefix: Sendable, Suffix: Sendable {}
extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}

extension Publishers.Concatenate.Step: Sendable where Suffix: Sendable {}

extension Publishers.Concatenate {
  /// Continues with the suffix after the prefix has finished.
  @frozen @usableFromInline
  package struct Step: Resumption {
    @usableFromInline package typealias Upstream = Prefix
    @usableFromInline package typealias Next = Suffix

    @usableFromInline package let suffix: Suffix

    @inlinable
    init(suffix: Suffix) { self.suffix = suffix }

    @usableFromInline package static var name: StaticString { "Concatenate" }

    @inlinable
    package func decide(
      _ completion: Subscribers.Completion<Failure>
    ) -> ResumptionDecision<Void, Failure> {
      if case .finished = completion { .continues(()) } else { .ends(completion) }
    }

    @inlinable
    package func next(after reason: Void) -> Result<Suffix, Failure> { .success(suffix) }
  }
}
