package import FanoutCore

/// A publisher of another one's values, with a type of its own, for which no operator has a special form.
///
/// Tests of an operator apply it to this one: `map` of a sequence's publisher is another sequence's publisher,
/// and no `Publishers.Map`.
package struct Unspecialized<Upstream: Publisher>: Publisher {
  package typealias Output = Upstream.Output
  package typealias Failure = Upstream.Failure

  package let upstream: Upstream

  package func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: subscriber)
  }
}

extension Unspecialized: Sendable where Upstream: Sendable {}
extension Unspecialized: Equatable where Upstream: Equatable {}

extension Publisher {
  /// This publisher, with a type for which no operator has a special form.
  package var unspecialized: Unspecialized<Self> { Unspecialized(upstream: self) }
}
