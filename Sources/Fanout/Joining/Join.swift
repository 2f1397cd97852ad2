// `@unchecked Sendable` invariant: the only stored property is a constant; the closure that it can
// hold was passed in as `@Sendable`.

internal import FanoutEngine

/// The place at which a subscriber joins a shared publisher.
///
/// | place | the subscriber gets first |
/// | --- | --- |
/// | ``replay`` | what every newcomer gets |
/// | ``live`` | what comes next |
/// | ``nextKeyframe`` | the next keyframe |
/// | ``last(_:)`` | the last values of the replay |
/// | ``after(where:ifUnknown:)`` | what follows a value that it knows |
public struct Join<Value>: @unchecked Sendable {
  let place: JoinPlace<Value>

  /// Joins at the start of the replay, the default.
  public static var replay: Self { Join(place: .replay) }

  /// Joins behind everything that has been accepted, whatever is replayed.
  ///
  /// The first frames of a video may then lack the keyframe that they build on. Of a reduced state
  /// the subscriber gets changes without a snapshot. If the replay lets every subscriber wait for
  /// the first keyframe, this one waits too.
  public static var live: Self { Join(place: .live) }

  /// Joins at the next keyframe, even if the replay holds one; headers that it needs come first.
  ///
  /// The publisher's ``Replay`` must have keyframes, otherwise `joining` traps.
  public static var nextKeyframe: Self { Join(place: .nextStart) }

  /// Joins at the last values of the replay.
  ///
  /// - Parameter count: The greatest number of values, 1 or more; headers come in addition. A
  ///   smaller number traps.
  /// - Returns: The place.
  public static func last(_ count: Int) -> Self {
    trap(
      unless: count > 0,
      "Join.last(\(count)): nothing would be replayed; pass 1 or more, or use .live.")
    return Join(place: .last(count))
  }

  /// Joins behind a value that the subscriber knows, to continue where it was before.
  ///
  /// That is the newest value of the replay for which the closure returns true. If there is none,
  /// `ifUnknown` decides. Nothing is known where the replay is empty, or where newcomers wait for a
  /// keyframe. So by default the first subscriber of all is told of a gap too: what came before the
  /// first connection cannot be known.
  ///
  /// Cost: O(values of the replay).
  ///
  /// - Parameters:
  ///   - isKnown: The closure that returns whether a value is the last one that the subscriber has
  ///     had. The delivering thread calls it with no lock held.
  ///   - ifUnknown: The place if no value of the replay is known. The default is
  ///     ``IfUnknown/missed``, so that a subscriber with an identifier that is too old, or made up,
  ///     gets no value from before it joined.
  /// - Returns: The place.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let feed = ReplaySubject<Int, Never>(.last(3))
  /// (1...6).forEach { feed.send($0) }
  /// let lost = feed.joining(.after { $0 == 2 }).deliveries().sink { print("lost", $0) }
  /// let all = feed.joining(.after(where: { $0 == 2 }, ifUnknown: .replay))
  ///   .sink { print("all", $0) }
  /// feed.send(7)
  /// for subscriber in [lost, all] { subscriber.cancel() }
  /// // Prints:
  /// // lost missed(nil)
  /// // lost caughtUp
  /// // all 4
  /// // all 5
  /// // all 6
  /// // lost live(7)
  /// // all 7
  /// ```
  @preconcurrency
  public static func after(
    where isKnown: @escaping @Sendable (Value) -> Bool, ifUnknown: IfUnknown = .missed
  ) -> Self {
    Join(place: .after(isKnown, ifUnknown: ifUnknown.place))
  }

  /// The place of a subscriber that joins behind a value which is not in the replay.
  ///
  /// All but ``live`` tell a subscriber of ``SharedPublisher/deliveries()`` first: it gets
  /// `.missed(nil)`.
  public enum IfUnknown: Hashable, Sendable {
    /// Joins as with ``Join/live``, and is told.
    case missed
    /// Joins as with ``Join/live``, and is not told.
    case live
    /// Joins as with ``Join/replay``, and is told: it may get values again that it has had, and
    /// others are missing.
    case replay
    /// Joins as with ``Join/nextKeyframe``, and is told.
    ///
    /// The publisher's ``Replay`` must have keyframes, otherwise `joining` traps, also if the value
    /// is known.
    case nextKeyframe

    var place: UnknownPlace {
      switch self {
      case .missed: .missed
      case .live: .live
      case .replay: .replay
      case .nextKeyframe: .nextStart
      }
    }
  }
}
