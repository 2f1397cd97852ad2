extension DeliveryContract {
  /// A subject's promise to late and slow subscribers, in terms of the numbers sent so far.
  ///
  /// | promise | a late subscriber gets | slow subscriber |
  /// | --- | --- | --- |
  /// | ``nothing`` | the next values | loses the values it has not requested |
  /// | ``currentValue(_:)`` | the current value or only the end | the newest; the end at once |
  /// | ``latest`` | the last value | receives the newest value on its next request |
  /// | the others | as described there | loses nothing |
  public struct Promise: Sendable, CustomStringConvertible {
    /// The fate of a value that a subscriber has not requested.
    enum Slowness: Sendable {
      case lost
      case replaced(endOvertakes: Bool)
      case kept
    }

    let slowness: Slowness
    let initial: [Int]
    let replay: @Sendable ([Int]) -> [Int]
    /// The promise as Swift, as far as it can be written.
    public let description: String

    init(
      _ description: String, _ slowness: Slowness, initial: [Int] = [],
      replay: @escaping @Sendable ([Int]) -> [Int]
    ) {
      self.description = description
      self.slowness = slowness
      self.initial = initial
      self.replay = replay
    }

    /// A promise of no earlier value, as of `PassthroughSubject`.
    public static var nothing: Self { Self(".nothing", .lost) { _ in [] } }

    /// Makes a promise of the current value, as of `CurrentValueSubject`.
    ///
    /// - Parameter number: The number of the value with which each subject is made.
    /// - Returns: The promise.
    public static func currentValue(_ number: Int = 0) -> Self {
      Self(".currentValue(\(number))", .replaced(endOvertakes: true), initial: [number]) {
        $0.suffix(1)
      }
    }

    /// A promise of the last value, as of `ReplaySubject(.latest)`.
    public static var latest: Self {
      Self(".latest", .replaced(endOvertakes: false)) { $0.suffix(1) }
    }

    /// A promise of every value, as of `ReplaySubject(.all)`.
    public static var all: Self { Self(".all", .kept) { $0 } }

    /// Makes a promise of the last values, as of `ReplaySubject(.last(count))`.
    ///
    /// - Parameter count: The number of values.
    /// - Returns: The promise.
    public static func last(_ count: Int) -> Self {
      Self(".last(\(count))", .kept) { $0.suffix(count) }
    }

    /// Makes a promise of the last keyframe and the values after it, as of
    /// `ReplaySubject(.sinceKeyframe { … })`.
    ///
    /// - Parameter isKeyframe: The closure that returns whether the value of a number is a
    ///   keyframe.
    /// - Returns: The promise.
    @preconcurrency
    public static func sinceKeyframe(
      where isKeyframe: @escaping @Sendable (Int) -> Bool
    ) -> Self {
      Self(".sinceKeyframe { … }", .kept) { Array($0[($0.lastIndex(where: isKeyframe) ?? 0)...]) }
    }

    /// Makes a promise of the values that a function chooses.
    ///
    /// - Parameter replay: The closure that returns the numbers for a late subscriber, from all
    ///   numbers sent.
    /// - Returns: The promise.
    @preconcurrency
    public static func custom(_ replay: @escaping @Sendable ([Int]) -> [Int]) -> Self {
      Self(".custom { … }", .kept, replay: replay)
    }
  }
}
