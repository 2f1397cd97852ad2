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

  init(_ kind: Kind, at place: Int, openedAt: Int) {
    self.kind = kind
    self.place = place
    self.openedAt = openedAt
  }

  /// Returns where a receiver goes on for which too much waits, unless that is not ahead of it.
  ///
  /// - Parameters:
  ///   - first: The position of the first value that waits for it, behind a replay that it keeps.
  ///   - lacksEnough: Whether too much waits of the current connection.
  /// - Returns: The place, or nil.
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

/// A record of where newcomers start, in the order in which values are accepted; loops that rejoin go by it.
struct StartRecord: Sendable {
  /// The number of the newest values that newcomers get, 0 if they start behind everything; nil if they start at the
  /// newest start.
  var count: Int? = 0
  /// The kind that was noted last, of a hub whose newcomers start at the newest start; `none` also if nothing was.
  private var kind = NewcomerStart.Kind.none
  private var isClosed = false
  /// The position of the newest start.
  private var startsAt = 0
  /// The position in front of which newcomers get nothing.
  private var floor = Int.min
  private var openedAt = 0

  init() {}

  /// Begins to follow the starts of a hub, of which nothing is known yet.
  mutating func follow() { (count, kind) = (nil, .none) }

  /// Notes a keyframe as the next value.
  mutating func noteKeyframe(at end: Int) { (kind, startsAt) = (.available, end) }

  /// Notes that a connection begins or closes.
  mutating func noteConnection(opening: Bool, at end: Int) {
    (openedAt, floor, startsAt) = (end, end, end)
    (kind, isClosed) = (opening ? .available : .none, !opening)
  }

  /// Notes that the replay was cleared; behind a connection that has closed newcomers wait for the next one anyway.
  mutating func noteClear(at end: Int) {
    floor = end
    if !isClosed { kind = .awaited }
  }

  /// Whether newcomers wait for a start, or for a connection.
  var isAwaited: Bool { kind != .available }

  /// Returns where a newcomer starts, if the values in front of `end` were accepted.
  func start(before end: Int) -> NewcomerStart {
    guard count != 0 else { return NewcomerStart(.behindAll, at: end, openedAt: openedAt) }
    guard let count else {
      let isEmpty = kind == .available && startsAt == end
      return NewcomerStart(
        isEmpty ? .none : kind, at: kind == .available ? startsAt : end, openedAt: openedAt)
    }
    let place = max(end &- count, floor)
    return NewcomerStart(
      place < end ? .available : floor > openedAt ? .cleared : .none, at: place, openedAt: openedAt)
  }
}
