// Invariant: the variables of `BacklogLimits` are reached only by the holder of the hub's drain.

/// A policy for the values that wait for one receiver.
public struct BacklogPolicy<End> {
  /// The treatment of a value that would be one too many.
  @usableFromInline
  enum Overflow {
    case dropsOldest
    case dropsNewest
    /// The receiver gets what waits, and then this end.
    case ends(() -> End)
    /// The receiver goes on where a newcomer would start, if that lies ahead.
    case rejoins
    /// The upstream is asked for no more than there is room for.
    case waits
  }

  /// The greatest number of values that wait.
  @usableFromInline let count: Int
  @usableFromInline let overflow: Overflow
  /// Whether what is left of the replay is among the values that wait.
  @usableFromInline let countsReplay: Bool

  @inlinable
  init(count: Int, overflow: Overflow, countsReplay: Bool = false) {
    self.count = count
    self.overflow = overflow
    self.countsReplay = countsReplay
  }

  /// Lets any number of values wait.
  @inlinable public static var unbounded: BacklogPolicy {
    BacklogPolicy(count: .max, overflow: .dropsOldest)
  }

  /// Lets the newest value wait, in place of the replay too.
  @inlinable public static var newest: BacklogPolicy { newest(1) }

  /// Lets the newest `count` values wait, those of the replay among them.
  @inlinable
  public static func newest(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .dropsOldest, countsReplay: true)
  }

  /// Lets the newest `count` values wait.
  @inlinable
  public static func droppingOldest(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .dropsOldest)
  }

  /// Lets the oldest `count` values wait.
  @inlinable
  public static func droppingNewest(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .dropsNewest)
  }

  /// Ends the receiver behind the values that wait when there would be more than `count` of them.
  @inlinable
  public static func ending(_ count: Int, _ makeEnd: @escaping () -> End) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .ends(makeEnd))
  }

  /// Lets a receiver for which more than `count` values wait go on where a newcomer would start.
  @inlinable
  public static func rejoining(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .rejoins)
  }

  /// Asks the upstream for no more than the receivers with this policy have room for.
  @inlinable
  public static func waiting(_ count: Int) -> BacklogPolicy {
    BacklogPolicy(count: count, overflow: .waits)
  }

  /// Whether it lets a receiver go on where a newcomer would start.
  @inlinable public var isRejoining: Bool {
    if case .rejoins = overflow { true } else { false }
  }

  /// The closure that makes the end of a receiver whose backlog is full.
  package var makeEnd: (() -> End)? {
    if case .ends(let makeEnd) = overflow { makeEnd } else { nil }
  }

  /// Whether it limits the demand of the upstream.
  @inlinable public var limitsDemand: Bool {
    if case .waits = overflow { true } else { false }
  }
}

/// The backlog policy of a hub, and the demand of its upstream where the policy limits that.
public final class BacklogLimits<End> {
  /// The policy for each receiver.
  public let policy: BacklogPolicy<End>
  /// The upstream that is asked for values.
  @exclusivity(unchecked) @usableFromInline package var upstream: DeliverySource?
  /// The position behind the last value that was requested.
  @exclusivity(unchecked) @usableFromInline var requestedEnd = 0
  /// The largest number of values for which a receiver has had room so far.
  @exclusivity(unchecked) @usableFromInline var largestCount: Int

  /// Creates limits by which each receiver has this policy.
  public init(_ policy: BacklogPolicy<End>) {
    self.policy = policy
    largestCount = policy.count
    noteCreation(of: self, isPart: true)
  }

  @inlinable var limitsDemand: Bool { policy.limitsDemand }

  /// Begins with an upstream of which nothing has been requested.
  @inlinable
  func begin(_ upstream: DeliverySource, at end: Int) {
    requestedEnd = end
    self.upstream = upstream
  }
}

@available(*, unavailable)
extension BacklogLimits: Sendable {}

@available(*, unavailable)
extension BacklogPolicy: Sendable {}

@available(*, unavailable)
extension BacklogPolicy.Overflow: Sendable {}
