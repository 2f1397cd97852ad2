/// The choices that are made where a publisher is shared.
package struct Terms: Hashable, Sendable {
  /// The way in which a connection begins and closes.
  package enum Kind: CaseIterable, Hashable, Sendable {
    /// `share` with `disconnect: .whenReleased`.
    case sharedUntilReleased
    /// `share` with `disconnect: .whenIdle`.
    case sharedWhileUsed
    /// `multicast` with `autoconnect()`, connected by hand as well.
    case autoconnected
    /// `multicast`, connected by hand.
    case byHand

    /// Whether a program can call `connect()`.
    package var hasClaims: Bool { self == .autoconnected || self == .byHand }
  }

  /// A replay without its headers.
  package enum Replay: CaseIterable, Hashable, Sendable {
    case none, latest, all, lastThree, sinceKeyframe
    /// Since the last keyframe, at most this one.
    case sinceKeyframeWithinOne
    /// Since the last keyframe, at most four values.
    case sinceKeyframeWithinFour
    /// Since the last keyframe, at most six values, and not from the beginning.
    case sinceFirstKeyframeWithinSix
    case undelivered
    /// A cache of the user that keeps everything.
    case custom
    /// The newest value of each of three keys.
    case latestByKey

    /// Whether the replay tells keyframes from other values.
    package var hasKeyframes: Bool {
      switch self {
      case .sinceKeyframe, .sinceKeyframeWithinOne, .sinceKeyframeWithinFour,
        .sinceFirstKeyframeWithinSix:
        true
      default: false
      }
    }

    /// Whether the replay is the contents of a cache, whose order is not that of the values.
    package var hasOwnCache: Bool { self == .custom || self == .latestByKey }

    /// The greatest number of values that a replay since the last keyframe may have.
    package var limit: Int {
      switch self {
      case .sinceKeyframeWithinOne: 1
      case .sinceKeyframeWithinFour: 4
      case .sinceFirstKeyframeWithinSix: 6
      default: .max
      }
    }
  }

  /// A policy for the values that wait.
  package enum Backlog: Hashable, Sendable {
    /// The treatment of a value that arrives when the backlog is full.
    package enum WhenFull: CaseIterable, Hashable, Sendable {
      case dropOldest, dropNewest, customError, rejoin, wait
      /// One value waits for each `Number.stateKey(_:)`.
      case conflate
    }

    case unbounded
    case size(Int, WhenFull)
    /// A limit of what the values cost together, as `Number.cost(_:)` says.
    case cost(Int, WhenFull)

    /// The treatment of a value for which there is no room.
    package var whenFull: WhenFull? {
      switch self {
      case .unbounded: nil
      case .size(_, let whenFull), .cost(_, let whenFull): whenFull
      }
    }

    /// Whether these numbers are too many, or cost too much.
    package func isExceeded(by numbers: [Int]) -> Bool {
      switch self {
      case .unbounded: false
      case .size(let count, _): numbers.count > count
      case .cost(let limit, _): numbers.reduce(0) { $0 + Number.cost($1) } > limit
      }
    }

    /// The number of values that may be requested while these wait.
    package func room(beside numbers: [Int]) -> Int {
      switch self {
      case .unbounded: .max
      case .size(let count, _): count - numbers.count
      // What a value will cost is not known before it comes.
      case .cost(let limit, _): numbers.reduce(0) { $0 + Number.cost($1) } < limit ? 1 : 0
      }
    }
  }

  /// An end of the upstream.
  package enum End: Hashable, Sendable {
    case finished, failed
  }

  package var kind: Kind
  package var replay: Replay
  package var isHeaded: Bool
  package var backlog: Backlog?
  /// The ends after which the next subscriber starts again.
  package var restart: Set<End>
  /// Whether the upstream sends no more than was requested.
  package var isPolite: Bool
  /// Whether the upstream sends on after its cancel.
  package var ignoresCancel: Bool

  package init(
    _ kind: Kind, _ replay: Replay, isHeaded: Bool = false, backlog: Backlog? = nil,
    restart: Set<End> = [], isPolite: Bool = false, ignoresCancel: Bool = false
  ) {
    self.kind = kind
    self.replay = replay
    self.isHeaded = isHeaded
    self.backlog = backlog
    self.restart = restart
    self.isPolite = isPolite
    self.ignoresCancel = ignoresCancel
  }

  /// Whether the account of a subscriber surely has what it misses while it waits for a keyframe.
  package func countsMissed(_ label: String?) -> Bool {
    label != nil || backlog != nil || !replay.hasKeyframes
  }

  /// Whether the publisher lets its slowest subscriber set the pace.
  package var waits: Bool { backlog?.whenFull == .wait }
}
