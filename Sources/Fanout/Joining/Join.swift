// `@unchecked Sendable` invariant: the only stored property is a constant; the closure that it can hold was passed in
// as `@Sendable`.

internal import FanoutEngine

/// The place at which a subscriber joins a shared publisher.
///
/// | place | the subscriber gets first |
/// | --- | --- |
/// | ``replay`` | what every newcomer gets |
/// | ``live`` | what comes next |
/// | ``nextKeyframe`` | the next keyframe |
/// | ``last(_:)`` | the last values of the replay |
/// | ``after(where:)`` | what follows a value that it knows |
public struct Join<Value>: @unchecked Sendable {
  let place: JoinPlace<Value>

  /// Joins at the start of the replay, as every subscriber does that does not say otherwise.
  public static var replay: Self { Join(place: .replay) }

  /// Joins behind everything that has been accepted, whatever is replayed.
  public static var live: Self { Join(place: .live) }

  /// Joins at the next keyframe.
  ///
  /// The publisher's ``Replay`` must have keyframes, otherwise `joining` traps.
  public static var nextKeyframe: Self { Join(place: .nextStart) }

  /// Joins at the last values of the replay.
  ///
  /// - Parameter count: The greatest number of values, 1 or more. A smaller number traps.
  /// - Returns: The place.
  public static func last(_ count: Int) -> Self {
    trap(
      unless: count > 0,
      "Join.last(\(count)): nothing would be replayed; pass 1 or more, or use .live.")
    return Join(place: .last(count))
  }

  /// Joins behind a value that the subscriber knows, to continue where it was before.
  ///
  /// That is the newest value of the replay for which the closure returns true. If there is none, the subscriber has
  /// missed more than the replay holds, and gets all of it. ``SharedPublisher/deliveries()`` tells it so, by `.missed(nil)`.
  ///
  /// Cost: O(values of the replay).
  ///
  /// - Parameter isKnown: The closure that returns whether a value is the last one that the subscriber has had. The
  ///   delivering thread calls it with no lock held.
  /// - Returns: The place.
  @preconcurrency
  public static func after(where isKnown: @escaping @Sendable (Value) -> Bool) -> Self {
    Join(place: .after(isKnown))
  }
}
