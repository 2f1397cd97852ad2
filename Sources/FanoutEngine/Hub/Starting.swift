/// The state of a log whose newcomers cannot all start at once, or get headers first.
///
/// A position counts the values that the hub has accepted. It is a place in the log, plus `offLog`.
@usableFromInline
package struct Starting<Element> {
  /// Whether a newcomer can start.
  @usableFromInline
  enum Availability {
    /// It starts at the start of the log.
    case available
    /// The values since the last keyframe exceed the limit: it waits for the next keyframe.
    case exceeded
    /// There has been no keyframe, and the beginning does not count: everybody waits.
    case notYet
  }

  @usableFromInline var availability = Availability.available
  /// The cost of the values that a newcomer receives.
  @usableFromInline var cost = 0
  /// The number of accepted values that are not in the log, less the copies of headers that are.
  @usableFromInline var offLog = 0
  /// The end of the log when the connection began.
  @usableFromInline var openedAt = 0
  /// The position from which on newcomers get headers: behind the last clear.
  @usableFromInline var clearedAt = Int.min
  /// The places of the headers that were copied into the log last, with no value between them.
  @usableFromInline var copies = 0..<0
  /// Whether there is an upstream to ask for a start.
  @usableFromInline var hasUpstream = false
  /// The newest headers from before the start of the log.
  @usableFromInline package var headers: HeaderCache<Element>?

  @inlinable
  init() {}
}

/// The place at which a receiver joins a hub.
public enum JoinPlace<Element> {
  /// At the start of the replay.
  case replay
  /// Behind everything that has been accepted.
  case live
  /// At the next keyframe.
  case nextStart
  /// At the last values of the replay.
  case last(Int)
  /// Behind the newest value of the replay for which the closure returns true.
  case after((Element) -> Bool)

  /// The closure that knows the value behind which a receiver joins.
  @inlinable package var isKnown: ((Element) -> Bool)? {
    if case .after(let isKnown) = self { isKnown } else { nil }
  }
}

@available(*, unavailable)
extension Starting: Sendable {}

@available(*, unavailable)
extension Starting.Availability: Sendable {}

@available(*, unavailable)
extension JoinPlace: Sendable {}
