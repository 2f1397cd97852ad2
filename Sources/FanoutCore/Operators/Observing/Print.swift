extension Publishers {
  /// A publisher that prints each event that passes.
  public struct Print<Upstream: Publisher>: Publisher {
    /// The upstream's values.
    public typealias Output = Upstream.Output
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// The beginning of each line, followed by a colon unless it is empty.
    public let prefix: String
    /// The upstream publisher.
    public let upstream: Upstream
    /// The stream that receives the lines, or nil for standard output.
    @preconcurrency public let stream: (any TextOutputStream & Sendable)?

    /// Creates a publisher that prints each event between `upstream` and the subscriber.
    @preconcurrency
    public init(
      upstream: Upstream, prefix: String, to stream: (any TextOutputStream & Sendable)? = nil
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: ObservedSubscription(Observer(self), downstream: subscriber))
    }
  }
}

extension Publishers.Print: Sendable where Upstream: Sendable {}

extension Publishers.Print {
  @usableFromInline
  package struct Observer: DeliveryObserver {
    @usableFromInline let lines: PrintedLines
    /// Whether the text of each value is its `description`.
    ///
    /// An interpolation finds that out anew for each value, with casts that take longer than the rest.
    @usableFromInline let usesDescription: Bool

    @usableFromInline
    init(_ publisher: Publishers.Print<Upstream>) {
      lines = PrintedLines(prefix: publisher.prefix, stream: publisher.stream)
      // A subclass may print in another way than its superclass.
      let type: Any.Type = Upstream.Output.self
      usesDescription =
        type is any CustomStringConvertible.Type && !(type is any TextOutputStreamable.Type)
        && !(type is AnyClass)
    }

    @usableFromInline package static var name: StaticString { "Print" }
    @usableFromInline package var observesDemand: Bool { true }

    @usableFromInline
    package func observe(subscription: any Subscription) {
      lines.print("receive subscription: (\(subscription))")
    }

    @usableFromInline
    package func observe(demand: Subscribers.Demand, isReturned: Bool) {
      lines.print(request: demand, note: isReturned ? " (synchronous)" : "")
    }

    @inlinable
    package func observe(value: Upstream.Output) {
      if usesDescription, let value = value as? any CustomStringConvertible {
        var text = "receive value: ("
        text += value.description
        text += ")"
        lines.print(text)
      } else {
        lines.print("receive value: (\(value))")
      }
    }

    @usableFromInline
    package func observe(completion: Subscribers.Completion<Upstream.Failure>) {
      lines.print(completion)
    }

    @usableFromInline
    package func observeCancel() { lines.print("receive cancel") }
  }
}

extension Publisher {
  /// Prints each event that passes: subscription, requests, values, completion and cancel.
  ///
  /// The lines of one subscription are written one at a time, in the order of their events. A thread that
  /// is already writing also writes the lines of others. No lock is held meanwhile. No line follows a
  /// cancel or the completion.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line, followed by a colon unless it is empty.
  ///   - stream: The stream that receives the lines, or nil for standard output. Each subscription has a
  ///     copy of it, and releases the copy at the cancel and at the completion.
  /// - Returns: A publisher that passes every event on unchanged.
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
