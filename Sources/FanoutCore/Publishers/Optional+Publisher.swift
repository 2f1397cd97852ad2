extension Optional {
  /// A publisher that delivers the value of an optional to each subscriber and finishes, or only
  /// finishes if there is none.
  ///
  /// - Demand: the value waits for it; the completion directly follows the value. Without a value,
  ///   the completion needs no demand.
  /// - Cancel: final, also inside `receive`.
  /// - Concurrency: delivers on the requesting thread.
  ///
  /// Operators that need only the value are applied at once: their closures run in the call that
  /// applies them, not for each subscriber. Each delivers the same as it would for any other
  /// publisher. ``Just`` says how to defer a closure.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// for text in ["7", "seven"] {
  ///   let printed = Int(text).publisher.map { $0 * 2 }.sink(
  ///     receiveCompletion: { print(text, $0) }, receiveValue: { print(text, $0) })
  ///   printed.cancel()
  /// }
  /// // Prints:
  /// // 7 14
  /// // 7 finished
  /// // seven finished
  /// ```
  @frozen
  public struct Publisher: FanoutCore.Publisher, NeverFailure {
    /// The type of the value.
    public typealias Output = Wrapped

    /// The value that each subscriber receives, or nil if there is none.
    public let output: Wrapped?

    /// Creates a publisher of at most one value.
    ///
    /// - Parameter output: The value that each subscriber receives, or nil for none.
    public init(_ output: Wrapped?) { self.output = output }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Wrapped, S.Failure == Never {
      if let output {
        PullSubscription.begin(subscriber, with: output, name: "Optional")
      } else {
        EndedSubscription.tell(subscriber, end: .finished)
      }
    }

    /// The value that each subscriber receives, if there is one.
    @_documentation(visibility: internal)
    public var _onlyValue: Wrapped? { output }
  }

  /// A publisher of this optional's value, which only finishes if there is none.
  public var publisher: Publisher { Publisher(self) }
}

extension Optional.Publisher: Sendable where Wrapped: Sendable {}
extension Optional.Publisher: Equatable where Wrapped: Equatable {}
