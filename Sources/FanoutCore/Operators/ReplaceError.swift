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
      upstream.receive(
        subscriber: Inner(
          Body(Replacement(output), (), downstream: subscriber), name: "ReplaceError"))
    }
  }
}

extension Publishers.ReplaceError: Sendable where Upstream: Sendable, Upstream.Output: Sendable {}
extension Publishers.ReplaceError: Equatable
where Upstream: Equatable, Upstream.Output: Equatable {}

extension Publishers.ReplaceError {
  @usableFromInline
  struct Replacement {
    @usableFromInline let output: Upstream.Output

    @inlinable
    init(_ output: Upstream.Output) { self.output = output }
  }

  @usableFromInline
  typealias Body<Downstream: Subscriber> = StepBody<Replacement, Void, Downstream>

  @usableFromInline
  final class Inner<Downstream: Subscriber>: FinalValueSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Never {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    /// The credit that no value has used; the value for the failure needs one of it.
    @usableFromInline let outstanding = OutstandingCredit()

    @usableFromInline
    override init(_ body: Body<Downstream>, name: StaticString?) {
      super.init(body, name: name)
    }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none else { return }
      if outstanding.add(credit) {
        stage.request(credit)
      } else {
        ask()
      }
    }

    @inlinable
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { body in
        outstanding.spendOne()
        let demand = body.downstream.receive(input)
        guard demand != .none, !outstanding.add(demand.credit) else { return demand }
        // The upstream failed inside that call.
        ask()
        return .none
      } ?? .none
    }

    @usableFromInline
    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      guard case .failure = completion else { return end(.finished) }
      guard let (downstream, output) = finish(taking: { ($0.downstream, $0.step.output) }) else {
        return
      }
      if outstanding.close() != .none { ask() }
      offer(output, to: downstream)
    }
  }
}

extension Publisher {
  /// Delivers a value in place of a failure, and finishes.
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
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

@available(*, unavailable)
extension Publishers.ReplaceError.Replacement: Sendable {}
