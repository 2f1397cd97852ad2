extension Publishers {
  /// A publisher that prints each event that passes.
  public struct Print<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The beginning of each line, followed by a colon unless it is empty.
    public let prefix: String
    /// The upstream publisher.
    public let upstream: Upstream
    /// The stream that receives the lines, or nil for standard output.
    @preconcurrency public let stream: (any TextOutputStream & Sendable)?

    // The stream has a type of its own: a conformance that an actor isolates fits into the
    // existential, and its stream would be written to on any thread.
    /// Creates a publisher that prints each event between `upstream` and the subscriber to a
    /// stream.
    @preconcurrency
    public init<Stream: TextOutputStream & Sendable>(
      upstream: Upstream, prefix: String, to stream: Stream?
    ) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }

    /// Creates a publisher that prints each event between `upstream` and the subscriber to standard
    /// output.
    ///
    /// The last parameter exists for a `to: nil`, which has no type of a stream.
    public init(upstream: Upstream, prefix: String, to stream: Never? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = nil
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      upstream.receive(subscriber: makeInner(subscriber, line: Self.line))
    }
  }
}

extension Publishers.Print: Sendable where Upstream: Sendable {}

extension Publishers.Print {
  /// The closure that makes the line of a value; formed where the type of the values is known.
  @inlinable static var line: @Sendable (Upstream.Output, _ usesDescription: Bool) -> String {
    { value, usesDescription in
      guard usesDescription, let value = value as? any CustomStringConvertible else {
        return "receive value: (\(value))"
      }
      var text = "receive value: ("
      text += value.description
      text += ")"
      return text
    }
  }

  @usableFromInline
  func makeInner<S: Subscriber>(
    _ subscriber: S, line: @escaping @Sendable (Upstream.Output, _ usesDescription: Bool) -> String
  ) -> ObservedSubscription<Self, S> {
    HandlingSubscription(
      Handlers(lines: PrintedLines(prefix: prefix, stream: stream), line: line), name: "Print",
      downstream: subscriber)
  }

  /// The writer of the lines.
  package struct Handlers: EventHandlers {
    package typealias Operator = Publishers.Print<Upstream>
    typealias Line = @Sendable (Upstream.Output, _ usesDescription: Bool) -> String

    let lines: PrintedLines
    let line: Line
    /// Whether the text of a value is its `description`.
    ///
    /// An interpolation finds that out anew for each value, with casts that take longer than the
    /// rest. A subclass may print in another way than its superclass.
    let usesDescription: Bool

    init(lines: PrintedLines, line: @escaping Line) {
      self.lines = lines
      self.line = line
      let type: Any.Type = Upstream.Output.self
      usesDescription =
        type is any CustomStringConvertible.Type && !(type is any TextOutputStreamable.Type)
        && !(type is AnyClass)
    }

    package var observesDemand: Bool { true }

    package func received(subscription: any Subscription) {
      lines.print("receive subscription: (\(subscription))")
    }

    package func received(output: Upstream.Output) { lines.print(line(output, usesDescription)) }

    package func received(completion: Subscribers.Completion<Upstream.Failure>) {
      lines.print(completion)
    }

    package func receivedCancel() { lines.print("receive cancel") }

    package func received(request demand: Subscribers.Demand, isReturned: Bool) {
      lines.print(request: demand, note: isReturned ? " (synchronous)" : "")
    }
  }
}

extension Publisher {
  /// Prints each event that passes to a stream: subscription, requests, values, completion and
  /// cancel.
  ///
  /// The lines of one subscription are written one at a time, in the order of their events. A
  /// thread that is already writing also writes the lines of others. No lock is held meanwhile. No
  /// line follows a cancel or the completion.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line, followed by a colon unless it is empty.
  ///   - stream: The stream that receives the lines, or nil for standard output. It is written to
  ///     on any thread. Each subscription has a copy of it, and releases the copy at the cancel and
  ///     at the completion.
  /// - Returns: A publisher that passes every event on unchanged.
  @preconcurrency
  public func print<Stream: TextOutputStream & Sendable>(
    _ prefix: String = "", to stream: Stream?
  ) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }

  /// Prints each event that passes to standard output: subscription, requests, values, completion
  /// and cancel.
  ///
  /// The lines of one subscription are written one at a time, in the order of their events; see the
  /// method with a stream.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of each line, followed by a colon unless it is empty.
  ///   - stream: nil; it exists for a `to: nil`, which has no type of a stream.
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
  public func print(_ prefix: String = "", to stream: Never? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }
}
