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

  /// Joins at the start of the replay, the default.
  public static var replay: Self { Join(place: .replay) }

  /// Joins behind everything that has been accepted, whatever is replayed.
  ///
  /// Of a video this can be in the middle of a picture group, and of a reduced state it gives changes without a
  /// snapshot. If the replay lets every subscriber wait for the first keyframe, this one waits too.
  public static var live: Self { Join(place: .live) }

  /// Joins at the next keyframe, even if the replay holds one; headers that it needs come first.
  ///
  /// The publisher's ``Replay`` must have keyframes, otherwise `joining` traps.
  public static var nextKeyframe: Self { Join(place: .nextStart) }

  /// Joins at the last values of the replay.
  ///
  /// - Parameter count: The greatest number of values, 1 or more; headers come in addition. A smaller number traps.
  /// - Returns: The place.
  public static func last(_ count: Int) -> Self {
    trap(
      unless: count > 0,
      "Join.last(\(count)): nothing would be replayed; pass 1 or more, or use .live.")
    return Join(place: .last(count))
  }

  /// Joins behind a value that the subscriber knows, to continue where it was before.
  ///
  /// That is the newest value of the replay for which the closure returns true. If there is none, the subscriber gets
  /// the whole replay. Where newcomers wait for a keyframe, it waits too. ``SharedPublisher/deliveries()`` sends
  /// `.missed(nil)` first.
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
