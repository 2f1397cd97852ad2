public import FanoutEngine

extension Publishers {
  /// A publisher that delivers a value in place of its upstream's failure.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The publisher never fails.
    public typealias Failure = Never

    /// The value that replaces the failure.
    public let output: Upstream.Output
    /// The upstream publisher.
    public let upstream: Upstream

    /// Creates a publisher that delivers `output` in place of the failure of `upstream`.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      upstream.receive(subscriber: Inner(output, downstream: subscriber))
    }
  }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Output: Equatable {}

extension Publishers.ReplaceError {
  @_fixed_layout
  @usableFromInline package final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline package let output: Upstream.Output

    @inlinable
    init(_ output: Upstream.Output, downstream: Downstream) {
      self.output = output
      super.init(downstream: downstream)
    }
  }

  @_fixed_layout
  @usableFromInline
  final class Inner<Downstream: Subscriber>: FinalValueSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
    @usableFromInline typealias Failure = Upstream.Failure

    /// The credit that no value has used; the value for the failure needs one of it.
    @usableFromInline let outstanding = OutstandingCredit()

    @inlinable
    init(_ output: Upstream.Output, downstream: Downstream) {
      super.init(Body(output, downstream: downstream), name: "ReplaceError")
    }

    override func didRequest(_ credit: Credit) {
      if outstanding.add(credit) { stage.request(credit) } else { ask() }
    }

    @inlinable
    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      stage.withBody { outstanding.deliver(input, to: $0.downstream) { _ in ask() } } ?? .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      beginIfEarly()
      guard case .failure = completion else { return end(.finished) }
      guard let (downstream, value) = finish(taking: { ($0.downstream, $0.output) }) else { return }
      offer(value, to: downstream, isRequested: outstanding.close() != .none)
    }
  }
}

extension Publisher {
  /// Delivers a value in place of a failure, and finishes.
  ///
  /// ![In place of the failure the subscriber receives 0, and finishes.](replace-error)
  ///
  /// - Parameter output: The value. It waits until the subscriber requests it, and `.finished` follows it.
  /// - Returns: A publisher that never fails. Demand, `.finished` and cancel pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct Offline: Error {}
  /// let answer = Fail<Int, Offline>(error: Offline()).replaceError(with: 0)
  /// let printed = answer.sink(receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// printed.cancel()
  /// // Prints:
  /// // 0
  /// // finished
  /// ```
  @preconcurrency
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self>
  where Output: Sendable {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}
