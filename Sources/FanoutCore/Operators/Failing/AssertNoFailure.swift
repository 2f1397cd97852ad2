extension Publishers {
  /// A publisher of the upstream's values that traps if the upstream fails.
  @frozen
  public struct AssertNoFailure<Upstream: Publisher>: Publisher, UpstreamOutput, NeverFailure {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The beginning of the trap's message.
    public let prefix: String
    /// The file that the trap's message names.
    public let file: StaticString
    /// The line that the trap's message names.
    public let line: UInt

    /// Creates a publisher of the values of `upstream` that traps if it fails.
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches the specified subscriber.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Never {
      upstream.receive(
        subscriber: StepSubscription(
          step, (), name: "AssertNoFailure", downstream: subscriber))
    }
  }
}

extension Publishers.AssertNoFailure: Sendable where Upstream: Sendable {}

extension Publishers.AssertNoFailure {
  @usableFromInline var step: Step { Step(prefix: prefix, file: file, line: line) }

  /// The step of the operator, which passes every value on.
  @usableFromInline
  package struct Step: ValueStep {
    @usableFromInline package typealias Operator = Publishers.AssertNoFailure<Upstream>

    let prefix: String
    let file: StaticString
    let line: UInt

    @inlinable
    @inline(__always)
    package func step(
      _ value: Upstream.Output, _ state: inout Void
    ) -> StepResult<Upstream.Output, Never> {
      .value(value)
    }

    @usableFromInline
    package func failure(_ error: Upstream.Failure) -> Never {
      let beginning = prefix.isEmpty ? "" : prefix + ": "
      fatalError(
        beginning + "assertNoFailure: the upstream has failed with \(error); where it may fail, "
          + "use catch(_:) or replaceError(with:).",
        file: file, line: line)
    }
  }
}

extension Publisher {
  /// Traps if this publisher fails, in debug and in release builds.
  ///
  /// ![Values and the finish pass; a failure would stop the program.](assert-no-failure)
  ///
  /// Use it for a failure that only a mistake in the program can cause.
  ///
  /// - Parameters:
  ///   - prefix: The beginning of the message.
  ///   - file: The file that the message names; by default that of the call.
  ///   - line: The line that the message names; by default that of the call.
  /// - Returns: A publisher of the same values that never fails. Demand, `.finished` and cancel
  ///   pass through.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let numbers = ["1", "2"].publisher.tryMap { text in
  ///   guard let number = Int(text) else { throw CancellationError() }
  ///   return number
  /// }
  /// let printed = numbers.assertNoFailure("numbers").sink { print($0) }
  /// printed.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// ```
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}
