// Invariant: the array of a body is reached only inside `receive(_:)`, which a publisher never
// calls at the same time.

public import FanoutCore
internal import FanoutEngine

/// The values of a publisher in arrays: a request is for one array, of those that wait when it is
/// served.
///
/// A value is requested only if it is there, or if the array is still empty. So nothing is
/// requested between two arrays, and what comes then waits in the backlog of the publisher.
@usableFromInline
package struct RequestedBatches<Upstream: Publisher>: Publisher {
  @usableFromInline package typealias Output = [Upstream.Output]
  @usableFromInline package typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let count: Int

  /// Creates a publisher of arrays of at most `count` values.
  package init(of upstream: Upstream, upTo count: Int) {
    self.upstream = upstream
    self.count = count
  }

  @usableFromInline
  package func receive<S: Subscriber>(subscriber: S)
  where S.Input == [Upstream.Output], S.Failure == Failure {
    upstream.receive(subscriber: Inner<S>(Body(count, downstream: subscriber), name: nil))
  }

  package final class Body<Downstream: Subscriber>: OperatorBody<Downstream>
  where Downstream.Input == [Upstream.Output] {
    fileprivate let count: Int
    fileprivate var values: [Upstream.Output] = []

    fileprivate init(_ count: Int, downstream: Downstream) {
      self.count = count
      super.init(downstream: downstream)
    }

    fileprivate func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      values.append(input)
      if values.count < count, adopted?.hasMore == true { return .max(1) }
      let batch = values
      values = []
      return downstream.receive(batch)
    }
  }

  package final class Inner<Downstream: Subscriber>: OperatorSubscription<
    Body<Downstream>, Downstream
  >, Subscriber
  where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
    package func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      stage.withBody { $0.receive(input) } ?? .none
    }
  }
}

extension RequestedBatches: Sendable where Upstream: Sendable {}
