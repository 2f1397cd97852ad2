/// The place at which newcomers of a hub start, as far as a receiver that rejoins has to know it.
struct NewcomerStart: Sendable {
  /// A state of what newcomers get.
  enum Kind: Sendable {
    /// They get values, the first of which has the place as its position.
    case available
    /// They start behind everything: a receiver that rejoins keeps what is left of its replay.
    case behindAll
    /// They get nothing, because that was cleared.
    case cleared
    /// They wait for a start.
    case awaited
    /// They get nothing, because nothing has come yet.
    case none
  }

  let kind: Kind
  let place: Int
  /// The position at which the connection began.
  let openedAt: Int

  /// Returns where a receiver goes on for which too much waits, if that is ahead of the first value
  /// that waits for it, behind a replay that it keeps; it waits for a start only if it lacks enough
  /// of the current connection.
  func restart(from first: Int?, ifLacking lacksEnough: @autoclosure () -> Bool) -> Restart? {
    switch kind {
    case .none: nil
    case .available: first.map { $0 < place } == true ? .at(place) : nil
    case .behindAll: first.map { $0 < place } == true ? .behindReplay : nil
    case .cleared: lacksEnough() ? .at(place) : nil
    case .awaited: lacksEnough() ? .waiting : nil
    }
  }
}

/// The place at which a receiver goes on that rejoins.
enum Restart: Sendable {
  /// The place at which newcomers start, as a position.
  case at(Int)
  /// Behind everything, and it keeps what is left of its replay.
  case behindReplay
  /// The next start, for which it waits.
  case waiting
}

/// A record of where newcomers start, in the order in which values are accepted; loops that rejoin
/// go by it.
struct StartRecord: Sendable {
  /// The number of the newest values that newcomers get, 0 if they start behind everything; nil if
  /// they start at the newest start.
  var count: Int? = 0
  /// The kind that was noted last, of a hub whose newcomers start at the newest start; `none` also
  /// if nothing was.
  private var kind = NewcomerStart.Kind.none
  private var isClosed = false
  /// The position in front of which newcomers get nothing: of the newest start, connection or
  /// clear.
  private var floor = Int.min
  private var openedAt = 0

  /// Begins to follow the starts of a hub, of which nothing is known yet.
  mutating func follow() { (count, kind) = (nil, .none) }

  /// Notes a keyframe as the next value.
  mutating func noteKeyframe(at end: Int) { (kind, floor) = (.available, end) }

  /// Notes that a connection begins or closes.
  mutating func noteConnection(opening: Bool, at end: Int) {
    (openedAt, floor) = (end, end)
    (kind, isClosed) = (opening ? .available : .none, !opening)
  }

  /// Notes that the replay was cleared; behind a connection that has closed newcomers wait for the
  /// next one anyway.
  mutating func noteClear(at end: Int) {
    floor = end
    if !isClosed { kind = .awaited }
  }

  /// Whether newcomers wait for a start, or for a connection.
  var isAwaited: Bool { kind != .available }

  /// Returns where a newcomer starts, if the values in front of `end` were accepted.
  func start(before end: Int) -> NewcomerStart {
    var (found, place) = (NewcomerStart.Kind.behindAll, end)
    if let count {
      if count > 0 {
        place = max(end &- count, floor)
        found = place < end ? .available : floor > openedAt ? .cleared : .none
      }
    } else {
      if kind == .available { place = floor }
      found = kind == .available && floor == end ? .none : kind
    }
    return NewcomerStart(kind: found, place: place, openedAt: openedAt)
  }
}
