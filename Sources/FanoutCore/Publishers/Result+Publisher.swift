extension Result {
  /// A publisher that delivers a result to each subscriber: its value and `.finished`, or its
  /// failure.
  ///
  /// - Demand: the value waits for it; the completion directly follows the value. A failure needs
  ///   no demand.
  /// - Cancel: final, also inside `receive`.
  /// - Concurrency: delivers on the requesting thread, a failure on the subscribing one.
  ///
  /// Operators that need only the result are applied at once: their closures run in the call that
  /// applies them, not for each subscriber. Each delivers the same as it would for any other
  /// publisher. ``Just`` says how to defer a closure.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct NoNumber: Error {}
  /// func number(_ text: String) -> Result<Int, NoNumber> {
  ///   Int(text).map { .success($0) } ?? .failure(NoNumber())
  /// }
  /// for text in ["7", "seven"] {
  ///   let printed = number(text).publisher.map { $0 * 2 }.sink(
  ///     receiveCompletion: { print(text, $0) }, receiveValue: { print(text, $0) })
  ///   printed.cancel()
  /// }
  /// // Prints:
  /// // 7 14
  /// // 7 finished
  /// // seven failure(main.NoNumber())
  /// ```
  @frozen
  public struct Publisher: FanoutCore.Publisher {
    /// The type of the value.
    public typealias Output = Success

    /// The result that each subscriber receives.
    public let result: Result<Success, Failure>

    /// Creates a publisher of a result.
    ///
    /// - Parameter result: The result that each subscriber receives.
    public init(_ result: Result<Success, Failure>) { self.result = result }

    /// Creates a publisher of one value.
    ///
    /// - Parameter output: The value that each subscriber receives.
    public init(_ output: Success) { result = .success(output) }

    /// Creates a publisher that fails immediately.
    ///
    /// - Parameter failure: The failure that each subscriber receives.
    public init(_ failure: Failure) { result = .failure(failure) }

    /// Attaches the specified subscriber to this publisher.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let output): PullSubscription.begin(subscriber, with: output, name: "Once")
      case .failure(let error): EndedSubscription.tell(subscriber, end: .failure(error))
      }
    }

    /// The value that each subscriber receives, if it is no failure.
    @_documentation(visibility: internal)
    public var _onlyValue: Success? {
      if case .success(let output) = result { output } else { nil }
    }
  }

  /// A publisher of this result.
  public var publisher: Publisher { Publisher(self) }
}

extension Result.Publisher: Sendable where Success: Sendable {}
extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}

extension Result {
  /// Returns the result of a closure that may throw, or this failure.
  package func tryMap<NewSuccess>(
    _ transform: (Success) throws -> NewSuccess
  ) -> Result<NewSuccess, any Error> {
    Result<NewSuccess, any Error> { try transform(get()) }
  }
}
