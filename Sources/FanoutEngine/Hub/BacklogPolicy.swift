// Invariant: the variables of `BacklogLimits` are reached only by the holder of the hub's drain.

/// The treatment of a value that would be one too many for a backlog.
@usableFromInline
enum BacklogOverflow: Sendable {
  case dropsOldest
  case dropsNewest
  /// The receiver gets what waits, and then an end of its own.
  case ends
  /// The receiver goes on where a newcomer would start, if that lies ahead.
  case rejoins
  /// The upstream is asked for no more than there is room for.
  case waits
  /// Of the values that wait, one stays for each key.
  case conflates
}

/// A policy for the values that wait for one receiver.
@frozen
public struct BacklogPolicy<Element, End> {
  /// The greatest number of values that wait.
  let count: Int
  let overflow: BacklogOverflow
  /// The closure that makes the end of a receiver whose backlog is full.
  package private(set) var makeEnd: (() -> End)?
  /// The rule by which the values that wait are conflated.
  package let conflation: Conflation<Element>?
  /// Whether what is left of the replay is among the values that wait.
  let countsReplay: Bool
  /// The limits beside `count`, or nil if there are none.
  package private(set) var limits: ValueLimits<Element>?
  /// The end of a wait, or nil if it lasts until there is room.
  package private(set) var patience: Patience?

  /// The time for which the upstream waits for a full backlog, and what happens then.
  @usableFromInline package struct Patience {
    package let makeTimer: () -> ExpiryTimer
    let then: BacklogOverflow
  }

  init(
    count: Int, overflow: BacklogOverflow, countsReplay: Bool = false, makeEnd: (() -> End)? = nil,
    conflation: Conflation<Element>? = nil
  ) {
    self.count = count
    self.overflow = overflow
    self.countsReplay = countsReplay
    self.makeEnd = makeEnd
    self.conflation = conflation
  }

  /// Lets any number of values wait.
  public static var unbounded: BacklogPolicy {
    BacklogPolicy(count: .max, overflow: .dropsOldest)
  }

  /// Lets the newest value wait, in place of the replay too.
  public static var newest: BacklogPolicy {
    BacklogPolicy(count: 1, overflow: .dropsOldest, countsReplay: true)
  }

  /// Lets the newest `count` values wait.
  public static func droppingOldest(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .dropsOldest)
  }

  /// Lets the oldest `count` values wait.
  public static func droppingNewest(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .dropsNewest)
  }

  /// Ends the receiver behind the values that wait when there would be more than `count` of them.
  public static func ending(_ count: Int, _ makeEnd: @escaping () -> End) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .ends, makeEnd: makeEnd)
  }

  /// Lets a receiver for which more than `count` values wait go on where a newcomer would start.
  public static func rejoining(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .rejoins)
  }

  /// Asks the upstream for no more than the receivers with this policy have room for.
  public static func waiting(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .waits)
  }

  /// Lets `count` values wait, and from then on one value for each key until the receiver has taken
  /// all of them.
  public static func conflating(_ count: Int, _ conflation: Conflation<Element>) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .conflates, conflation: conflation)
  }

  /// Returns this policy with limits beside the number of values.
  public func limited(by limits: ValueLimits<Element>?) -> BacklogPolicy {
    var policy = self
    policy.limits = limits
    return policy
  }

  /// Returns this policy, which waits, with an end of the wait: after that the receiver is treated
  /// as by another policy until it has room again.
  public func waiting(
    then other: BacklogPolicy, makeTimer: @escaping () -> ExpiryTimer
  ) -> BacklogPolicy {
    var policy = self
    policy.patience = Patience(makeTimer: makeTimer, then: other.overflow)
    policy.makeEnd = other.makeEnd
    return policy
  }

  /// Whether more than the number of values decides about them, so that each has to be looked at.
  package var isMeasured: Bool {
    conflation != nil || limits != nil || patience != nil
  }

  /// The closure that returns the cost of a value, if a loop under this policy can fetch although
  /// that is limited: what a value costs is found once, before it is accepted, and what is too old
  /// is not.
  package var fetchCost: ((Element) -> Int)? {
    guard case .dropsOldest = overflow, limits?.age == nil else { return nil }
    return limits?.cost?.of
  }

  /// Whether only the number of the values that wait decides, and the oldest make way.
  @inline(__always)
  var slides: Bool {
    if case .dropsOldest = overflow { !isMeasured } else { false }
  }

  /// Whether values may wait too long or too many of them: the upstream does not wait until there
  /// is room.
  @inline(__always)
  var isLimiting: Bool { (!limitsDemand || patience != nil) && (count < .max || limits != nil) }

  /// The number of values that the upstream is asked for at a time if no receiver holds it back.
  var requestCount: Int { limits == nil ? count : 1 }

  /// Whether a wait may end with it: it neither waits nor conflates.
  public var endsWait: Bool {
    switch overflow {
    case .dropsOldest, .dropsNewest, .ends, .rejoins: true
    case .waits, .conflates: false
    }
  }

  /// Whether it lets a receiver go on where a newcomer would start.
  @inline(__always)
  public var isRejoining: Bool {
    overflow == .rejoins || overflow == .waits && finalOverflow == .rejoins
  }

  /// The treatment of a value that is one too many, once a wait is over if there is one.
  @inline(__always)
  var finalOverflow: BacklogOverflow { patience?.then ?? overflow }

  /// Whether a value that is not requested can be dropped, or make way for another one, before any
  /// wait is over.
  var drops: Bool {
    switch overflow {
    case .dropsOldest: count < .max || limits != nil
    case .dropsNewest, .rejoins, .conflates: true
    case .ends, .waits: false
    }
  }

  /// Whether it limits the demand of the upstream.
  @inline(__always)
  public var limitsDemand: Bool {
    overflow == .waits
  }
}

/// The backlog policy of a hub, and the demand of its upstream where the policy limits that.
public final class BacklogLimits<Element, End> {
  /// The policy for each receiver.
  public let policy: BacklogPolicy<Element, End>
  /// The upstream that is asked for values.
  @exclusivity(unchecked) package var upstream: DeliverySource?
  /// The position behind the last value that was requested.
  @exclusivity(unchecked) var requestedEnd = 0
  /// The largest number of values for which a receiver has had room so far.
  @exclusivity(unchecked) var largestCount: Int
  /// The place at which the last look for the least room has ended.
  @exclusivity(unchecked) var lookedAt = RoomLook.Place(index: 0, isLoop: false)

  /// Creates limits by which each receiver has this policy.
  public init(_ policy: BacklogPolicy<Element, End>) {
    self.policy = policy
    largestCount = policy.requestCount
    noteCreation(of: self, isPart: true)
  }

  var limitsDemand: Bool { policy.limitsDemand }

  /// Begins with an upstream of which nothing has been requested.
  func begin(_ upstream: DeliverySource, at end: Int) {
    requestedEnd = end
    self.upstream = upstream
  }
}

@available(*, unavailable)
extension BacklogLimits: Sendable {}

@available(*, unavailable)
extension BacklogPolicy: Sendable {}
