// What an operator delivers is written here once: a type that conforms to one of these protocols
// has its `Output` or `Failure` from there, as a public typealias that the compiler infers.

/// A publisher that delivers values of its upstream.
package protocol UpstreamOutput: Publisher where Output == Upstream.Output {
  /// The upstream publisher.
  associatedtype Upstream: Publisher
}

/// A publisher that fails as its upstream does.
package protocol UpstreamFailure: Publisher where Failure == Upstream.Failure {
  /// The upstream publisher.
  associatedtype Upstream: Publisher
}

/// A publisher with the values and the failure of its upstream.
package typealias UpstreamTypes = UpstreamOutput & UpstreamFailure

/// A publisher that fails with any error, such as that of a closure that throws.
package protocol ErrorFailure: Publisher where Failure == any Error {}

/// A publisher that never fails.
package protocol NeverFailure: Publisher where Failure == Never {}

/// A publisher of answers.
package protocol BoolOutput: Publisher where Output == Bool {}

/// A publisher of values of its upstream, several at a time.
package protocol ArrayOutput: Publisher where Output == [Upstream.Output] {
  /// The upstream publisher.
  associatedtype Upstream: Publisher
}

/// A publisher of the values of publishers that a closure creates.
package protocol CreatedOutput: Publisher where Output == NewPublisher.Output {
  /// A publisher that the closure creates.
  associatedtype NewPublisher: Publisher
}

/// A publisher that fails as any of its several upstreams does.
package protocol CombinedFailure: Publisher where Failure == A.Failure {
  /// The upstream that is subscribed to first.
  associatedtype A: Publisher
}

/// A publisher with the values and the failure of several upstreams.
package protocol MergedTypes: CombinedFailure where Output == A.Output {}

/// A publisher of pairs of the values of two upstreams.
package protocol PairTypes: CombinedFailure where Output == (A.Output, B.Output) {
  /// The upstream that is subscribed to second.
  associatedtype B: Publisher
}

/// A publisher of triples of the values of three upstreams.
package protocol TripleTypes: CombinedFailure where Output == (A.Output, B.Output, C.Output) {
  /// The upstream that is subscribed to second.
  associatedtype B: Publisher
  /// The upstream that is subscribed to third.
  associatedtype C: Publisher
}

/// A publisher of quadruples of the values of four upstreams.
package protocol QuadrupleTypes: CombinedFailure
where Output == (A.Output, B.Output, C.Output, D.Output) {
  /// The upstream that is subscribed to second.
  associatedtype B: Publisher
  /// The upstream that is subscribed to third.
  associatedtype C: Publisher
  /// The upstream that is subscribed to fourth.
  associatedtype D: Publisher
}
