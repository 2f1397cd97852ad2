public import FanoutEngine

extension Publishers {
  /// A publisher that prints everything that passes.
  public struct Print<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// What each line begins with, followed by a colon, unless it is empty.
    public let prefix: String
    /// Where the values come from.
    public let upstream: Upstream
    /// Where the lines go; to standard output if nil.
    @preconcurrency public let stream: (any TextOutputStream & Sendable)?

    /// Makes a publisher that prints everything that passes to and from `upstream`.
    @preconcurrency
    public init(
      upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Attaches a subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Inner(Body(downstream: subscriber, prefix: prefix, stream: stream)))
    }
  }
}

extension Publishers.Print: Sendable where Upstream: Sendable {}

extension Publishers.Print {
  @usableFromInline
  final class Body<Downstream: Subscriber>: OperatorBody<Downstream> {
    @usableFromInline let lines: PrintedLines

    @usableFromInline
    init(
      downstream: Downstream, prefix: String, stream: (any TextOutputStream & Sendable)?
    ) {
      lines = PrintedLines(prefix: prefix, stream: stream)
      super.init(downstream: downstream)
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.value("lines", lines)]
    }
  }

  @usableFromInline
  final class Inner<Downstream: Subscriber>: ObservedSubscription<Body<Downstream>, Downstream>,
    Subscriber
  where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
    @usableFromInline typealias Input = Upstream.Output
    @usableFromInline typealias Failure = Upstream.Failure

    @usableFromInline
    init(_ body: Body<Downstream>) { super.init(body, name: "Print") }

    /// A subscriber that is adopted is not told of its subscription, and does not request.
    @usableFromInline override var passesGuard: Bool { false }

    @usableFromInline
    override func willHandOn(_ subscription: any Subscription) {
      observe { $0.lines.print("receive subscription: (\(subscription))") }
    }

    @usableFromInline
    override func request(_ credit: Credit) {
      guard credit != .none else { return }
      observe { $0.lines.print(request: credit.demand) }
      stage.request(credit)
    }

    @usableFromInline
    override func observeCancel(_ body: Body<Downstream>) { body.lines.print("receive cancel") }

    @usableFromInline
    func receive(_ input: Input) -> Subscribers.Demand {
      stage.withBody { body in
        guard !isCancelling else { return .none }
        body.lines.print("receive value: (\(input))")
        // The stream, or who describes the value, may have cancelled.
        guard !stage.isClosed, !isCancelling else { return .none }
        let demand = body.downstream.receive(input)
        if demand != .none, !stage.isClosed, !isCancelling {
          body.lines.print(request: demand, note: " (synchronous)")
        }
        return demand
      } ?? .none
    }

    @usableFromInline
    override func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      observe { body in
        switch completion {
        case .finished: body.lines.print("receive finished")
        case .failure(let error): body.lines.print("receive error: (\(error))")
        }
      }
      if !isCancelling { end(completion) }
    }
  }
}

extension Publisher {
  /// Prints everything that passes: subscription, requests, values, completion and cancel.
  ///
  /// The lines of one subscription are written one at a time, in the order of what they tell, by a
  /// thread that is already writing if there is one. No lock is held meanwhile. Nothing is printed
  /// after a cancel or the completion.
  ///
  /// - Parameters:
  ///   - prefix: what each line begins with, followed by a colon, unless it is empty.
  ///   - stream: where the lines go; to standard output if nil. Each subscription has a copy of it,
  ///     and lets go of that at cancel and at the completion.
  /// - Returns: a publisher that passes everything on unchanged.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let printed = (1...2).publisher.print("numbers").sink { _ in }
  /// printed.cancel()
  /// // Prints:
  /// // numbers: receive subscription: (1...2)
  /// // numbers: request unlimited
  /// // numbers: receive value: (1)
  /// // numbers: receive value: (2)
  /// // numbers: receive finished
  /// ```
  @preconcurrency
  public func print(
    _ prefix: String = "", to stream: (any TextOutputStream & Sendable)? = nil
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}
