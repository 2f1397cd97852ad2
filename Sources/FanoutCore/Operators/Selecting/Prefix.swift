internal import FanoutEngine

extension Publishers {
  /// A publisher of the upstream's values whose positions lie in a range.
  public struct Output<Upstream: Publisher>: Publisher, UpstreamTypes {
    /// The upstream publisher.
    public let upstream: Upstream
    /// The positions of the values that are delivered; the first value has position 0.
    public let range: CountableRange<Int>

    /// Creates a publisher of the values whose positions lie in `range`.
    public init(upstream: Upstream, range: CountableRange<Int>) {
      self.upstream = upstream
      self.range = Positions.all(in: range)
    }

    /// Attaches the specified subscriber; with an empty range it finishes without a request.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Upstream.Output, S.Failure == Failure {
      guard !range.isEmpty else {
        return Empty<Upstream.Output, Failure>().receive(subscriber: subscriber)
      }
      let step = OutputStep<Self, Nonthrowing<Failure>>(range)
      upstream.receive(
        subscriber: StepSubscription(step, 0, name: "Output", downstream: subscriber))
    }
  }
}

/// The step of the operator; its state is the position of the next value.
@frozen @usableFromInline
package struct OutputStep<Operator: Publisher, Errors: StepErrors>: ThrowingStep
where Errors.Failure == Operator.Failure {
  @usableFromInline let range: Range<Int>

  @inlinable
  init(_ range: Range<Int>) { self.range = range }

  @inlinable
  @inline(__always)
  package func step(
    _ value: Operator.Output, _ state: inout Int
  ) -> StepResult<Operator.Output, Errors.Failure> {
    let position = state
    state = position + 1
    if position < range.lowerBound { return .skip }
    // An upstream that ignores the cancel may send more while the last value is being delivered.
    if position >= range.upperBound { return .ignore }
    return position == range.upperBound - 1 ? .last(value) : .value(value)
  }
}

/// The positions of values that an operator delivers, made of its arguments.
enum Positions: Sendable {
  /// Returns the positions of the first values; a negative length traps.
  static func upTo(_ maxLength: Int) -> Range<Int> {
    trap(
      unless: maxLength >= 0, "prefix(\(maxLength)): a length cannot be negative; pass 0 or more.")
    return 0..<maxLength
  }

  /// Returns the range of one position; a negative one traps.
  static func only(_ index: Int) -> Range<Int> {
    trap(
      unless: index >= 0 && index < .max,
      "output(at: \(index)): positions begin at 0; pass 0 or more, and less than Int.max.")
    return index..<(index + 1)
  }

  /// Returns the positions in a range; one that begins below 0 traps.
  static func all(in range: some RangeExpression<Int>) -> Range<Int> {
    let range = all(upToTheLast: range) ?? range.relative(to: 0..<Int.max)
    trap(
      unless: range.lowerBound >= 0,
      "output(in: \(range)): positions begin at 0; pass a range that begins at 0 or later.")
    return range
  }

  /// Returns the positions in a range that ends with the greatest number, or nil if it does not.
  ///
  /// The standard library has no bound behind that number, and no value ever has this position.
  private static func all(upToTheLast range: some RangeExpression<Int>) -> Range<Int>? {
    switch range {
    case let closed as ClosedRange<Int> where closed.upperBound == .max: closed.lowerBound..<Int.max
    case let through as PartialRangeThrough<Int> where through.upperBound == .max: 0..<Int.max
    default: nil
    }
  }
}

extension Publishers.Output: Sendable where Upstream: Sendable {}
extension Publishers.Output: Equatable where Upstream: Equatable {}

extension Publisher {
  /// Delivers the first values, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives two values and finishes with the second; the upstream is cancelled.](prefix)
  ///
  /// - Parameter maxLength: The greatest number of values, 0 or more; a negative number traps.
  /// - Returns: A publisher that finishes after the last of them, or at once if `maxLength` is 0.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let two = (1...9).publisher.prefix(2).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// two.cancel()
  /// // Prints:
  /// // 1
  /// // 2
  /// // finished
  /// ```
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: Positions.upTo(maxLength))
  }
}

extension Publisher {
  /// Delivers the value at a position, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives the value at index 1, the second one, and finishes; the upstream is cancelled.](output-at)
  ///
  /// - Parameter index: The position, 0 or more, where the first value has position 0; a negative
  ///   position traps.
  /// - Returns: A publisher of that value. It finishes without a value if its upstream has fewer
  ///   values. A value that is left out does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let third = (1...9).publisher.output(at: 2).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// third.cancel()
  /// // Prints:
  /// // 3
  /// // finished
  /// ```
  public func output(at index: Int) -> Publishers.Output<Self> {
    Publishers.Output(upstream: self, range: Positions.only(index))
  }

  /// Delivers the values whose positions lie in a range, then finishes and cancels its upstream.
  ///
  /// ![The subscriber receives the second and the third value, and finishes with it; the upstream is cancelled.](output-in)
  ///
  /// - Parameter range: The positions, 0 or more, where the first value has position 0. A range
  ///   that begins below 0 traps.
  /// - Returns: A publisher of those values, which finishes after the last of them, or at once if
  ///   the range is empty. A value that is left out does not count against demand.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let some = (1...9).publisher.output(in: 2...3).sink(
  ///   receiveCompletion: { print($0) }, receiveValue: { print($0) })
  /// some.cancel()
  /// // Prints:
  /// // 3
  /// // 4
  /// // finished
  /// ```
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self>
  where R.Bound == Int {
    Publishers.Output(upstream: self, range: Positions.all(in: range))
  }
}
