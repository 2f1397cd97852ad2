extension DeliveryContract {
  /// What a subject gives to a late subscriber, and what a slow one loses, in terms of the numbers
  /// of the values sent so far.
  ///
  /// | promise | a late subscriber gets | slow subscriber |
  /// | --- | --- | --- |
  /// | ``nothing`` | what comes next | loses what it has not asked for |
  /// | ``currentValue(_:)`` | the current value; after the end nothing but the end | gets the newest on its next request; the end overtakes it |
  /// | ``latest`` | the last value | gets the newest on its next request |
  /// | the others | as they say | loses nothing |
  public struct Promise: Sendable, CustomStringConvertible {
    /// What happens to a value that a subscriber has not asked for.
    enum Slowness: Sendable {
      case lost
      case replaced(endOvertakes: Bool)
      case kept
    }

    let slowness: Slowness
    let initial: [Int]
    let replay: @Sendable ([Int]) -> [Int]
    /// The promise as Swift, as far as it can be told.
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

    /// Nothing, as `PassthroughSubject`.
    public static var nothing: Self { Self(".nothing", .lost) { _ in [] } }

    /// The current value, as `CurrentValueSubject`.
    ///
    /// - Parameter number: The number of the value with which each subject is made.
    /// - Returns: The promise.
    public static func currentValue(_ number: Int = 0) -> Self {
      Self(".currentValue(\(number))", .replaced(endOvertakes: true), initial: [number]) {
        $0.suffix(1)
      }
    }

    /// The last value, as `ReplaySubject(.latest)`.
    public static var latest: Self {
      Self(".latest", .replaced(endOvertakes: false)) { $0.suffix(1) }
    }

    /// Every value, as `ReplaySubject(.all)`.
    public static var all: Self { Self(".all", .kept) { $0 } }

    /// The last values, as `ReplaySubject(.last(count))`.
    ///
    /// - Parameter count: How many.
    /// - Returns: The promise.
    public static func last(_ count: Int) -> Self {
      Self(".last(\(count))", .kept) { $0.suffix(count) }
    }

    /// The last keyframe and what follows, as `ReplaySubject(.sinceKeyframe { … })`.
    ///
    /// - Parameter isKeyframe: Whether the value of this number is a keyframe.
    /// - Returns: The promise.
    @preconcurrency
    public static func sinceKeyframe(
      where isKeyframe: @escaping @Sendable (Int) -> Bool
    ) -> Self {
      Self(".sinceKeyframe { … }", .kept) { Array($0[($0.lastIndex(where: isKeyframe) ?? 0)...]) }
    }

    /// What a function says.
    ///
    /// - Parameter replay: The numbers that a late subscriber is given, from all that were sent.
    /// - Returns: The promise.
    @preconcurrency
    public static func custom(_ replay: @escaping @Sendable ([Int]) -> [Int]) -> Self {
      Self(".custom { … }", .kept, replay: replay)
    }
  }
}
