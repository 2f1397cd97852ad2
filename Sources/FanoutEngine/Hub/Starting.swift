internal import Synchronization

/// The state of a log whose newcomers cannot all start at once, or get headers first.
///
/// A position counts the values that the hub has accepted. It is a place in the log, plus `offLog`.
package struct Starting<Element> {
  /// Whether a newcomer can start.
  enum Availability {
    /// It starts at the start of the log.
    case available
    /// The values since the last keyframe exceed the limit: it waits for the next keyframe.
    case exceeded
    /// There has been no keyframe, and the beginning does not count: every receiver waits.
    case notYet
  }

  var availability = Availability.available
  /// The measure of the values that a newcomer receives, if more than their number is limited.
  package var meter = ValueMeter<Element>()
  /// The number of accepted values that are not in the log.
  var offLog = 0
  /// The end of the log when the connection began.
  var openedAt = 0
  /// The number of values that had been accepted when the connection began.
  var openedPosition = 0
  /// The position from which on newcomers get headers: behind the last clear.
  var clearedAt = Int.min
  /// Whether there is an upstream to ask for a start.
  var hasUpstream = false
  /// Whether the upstream is to be asked for a start, because a receiver waits for one.
  var isAwaited = false
  /// The newest headers from before the start of the log.
  package var headers: HeaderCache<Element>?
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
  /// Behind the newest value of the replay for which the closure returns true, or elsewhere if
  /// there is none.
  case after((Element) -> Bool, ifUnknown: UnknownPlace)

  /// The closure that knows the value behind which a receiver joins.
  package var isKnown: ((Element) -> Bool)? {
    if case .after(let isKnown, _) = self { isKnown } else { nil }
  }

  /// Whether it is the next keyframe, or can turn out to be.
  public var canBeNextStart: Bool {
    switch self {
    case .nextStart, .after(_, ifUnknown: .nextStart): true
    case .replay, .live, .last, .after: false
    }
  }

  /// The place behind a value that is not in the replay; nil for a place that needs no value.
  var ifUnknown: (place: Self, hasUnknownGap: Bool)? {
    guard case .after(_, let ifUnknown) = self else { return nil }
    return switch ifUnknown {
    case .missed: (.live, true)
    case .live: (.live, false)
    case .replay: (.replay, true)
    case .nextStart: (.nextStart, true)
    }
  }
}

/// The place of a receiver that joins behind a value which is not in the replay.
public enum UnknownPlace: Sendable {
  /// Behind everything that has been accepted; the receiver is told of a gap.
  case missed
  /// Behind everything that has been accepted.
  case live
  /// At the start of the replay, behind a gap.
  case replay
  /// At the next keyframe, behind a gap.
  case nextStart
}

/// The requests for a start that an upstream gets while a receiver waits for one: at most one an
/// interval.
///
/// An action that it gives to a scheduler retains this object and not the hub. While the action
/// waits, the last request is less than an interval ago.
public final class StartRequests: Sendable {
  /// Twice the number of hubs in which a receiver waits, and 1 more while an action waits.
  let awaited = AtomicValue<Int>(0)
  package let request: @Sendable () -> Void
  package let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// Creates requests.
  ///
  /// - Parameters:
  ///   - request: The closure that asks for a start.
  ///   - schedule: The closure that schedules an action after the interval.
  public init(
    request: @escaping @Sendable () -> Void,
    schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.request = request
    self.schedule = schedule
    noteCreation(of: self, isPart: true)
  }

  /// Asks for a hub in which a receiver waits from now on: at once, or when the interval is over.
  func begin() {
    awaited.wrappingAdd(2, ordering: .acquiringAndReleasing)
    if awaited.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue & 1 == 0 { ask() }
  }

  /// Stops asking for a hub in which no receiver waits any more.
  func end() { awaited.wrappingSubtract(2, ordering: .acquiringAndReleasing) }

  private func ask() {
    request()
    schedule {
      let isIdle = self.awaited.compareExchange(
        expected: 1, desired: 0, ordering: .acquiringAndReleasing
      ).exchanged
      if !isIdle { self.ask() }
    }
  }
}

@available(*, unavailable)
extension JoinPlace: Sendable {}
