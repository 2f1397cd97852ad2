/// A policy for retained values in the form that a hub asks for each value.
@usableFromInline
package struct RetentionRules<Element> {
  /// The treatment of a value.
  @usableFromInline
  enum Mode {
    case lossy
    case newest
    case log
    case custom
  }

  /// The way in which a log forgets.
  @usableFromInline
  enum Forgetting {
    /// It keeps everything.
    case never
    /// It keeps the last values, or those since the last keyframe.
    case simply
    /// There are headers, or not every newcomer can start at once; see `Hub+Start`.
    case withCare
  }

  @usableFromInline let mode: Mode
  /// Whether the inbox keeps the newest accepted value.
  @usableFromInline let tellsNewest: Bool
  /// Whether the end replaces a newest value that a receiver has not taken.
  @usableFromInline let newestIsOvertaken: Bool
  /// The greatest number of values that a newcomer receives.
  @usableFromInline let limit: Int
  /// The way in which a log forgets values during a connection.
  @usableFromInline let forgetting: Forgetting
  @usableFromInline package let isKeyframe: ((Element) -> Bool)?
  /// The closure that returns the cost of a value, and the greatest cost of what a newcomer receives.
  @usableFromInline package let cost: (of: (Element) -> Int, limit: Int)?
  /// Whether a receiver may start at the first value of a connection, whatever that is.
  @usableFromInline let startsAtBeginning: Bool
  /// Whether only what came while nobody was attached is kept, and only for the first newcomer.
  @usableFromInline let keepsUndelivered: Bool
  @usableFromInline package let makeHeaders: (() -> HeaderCache<Element>)?
  /// The object that asks the upstream for a start.
  @usableFromInline package let startRequests: StartRequests?
  @usableFromInline package let makeCache: (() -> CustomCache<Element>)?

  /// Whether a newcomer can receive values from before it came.
  @inlinable var hasReplay: Bool {
    switch mode {
    case .lossy: false
    case .custom: makeCache != nil
    case .newest, .log: true
    }
  }

  @inlinable
  init(_ policy: RetentionPolicy<Element>, tellsNewest: Bool, keepsForReceivers: Bool) {
    var limit = Int.max
    var overtaken = false
    var keyframes: KeyframeRules<Element>?
    var keepsUndelivered = false
    var makeCache: (() -> CustomCache<Element>)?
    switch policy.kind {
    case .nothing where policy.makeHeaders != nil:
      mode = .log
      limit = 0
    case .nothing where keepsForReceivers: mode = .custom
    case .nothing: mode = .lossy
    case .newest where keepsForReceivers || policy.makeHeaders != nil:
      mode = .log
      limit = 1
    case .newest(let isOvertaken):
      mode = .newest
      overtaken = isOvertaken
    case .everything: mode = .log
    case .last(let count):
      mode = .log
      limit = count
    case .sinceKeyframe(let rules):
      mode = .log
      limit = rules.count
      keyframes = rules
    case .undelivered(let count):
      mode = .log
      limit = count
      keepsUndelivered = true
    case .custom(let factory):
      mode = .custom
      makeCache = factory
    }
    self.tellsNewest = tellsNewest
    self.limit = limit
    isKeyframe = keyframes?.isKeyframe
    cost = keyframes?.cost
    startsAtBeginning = keyframes?.fromBeginning ?? true
    self.keepsUndelivered = keepsUndelivered
    makeHeaders = policy.makeHeaders
    startRequests = policy.makeStartRequests?()
    self.makeCache = makeCache
    newestIsOvertaken = overtaken
    if keepsUndelivered || policy.makeHeaders != nil || keyframes?.canAlwaysStart == false {
      forgetting = .withCare
    } else {
      forgetting = limit < .max || keyframes != nil ? .simply : .never
    }
  }
}

/// The values that a hub retains, and its end.
@usableFromInline
package struct Retention<Element, End> {
  /// Whether a newcomer receives the newest value.
  @usableFromInline var newestIsCached: Bool
  @usableFromInline package var newest: Element?
  @usableFromInline package var log = Log<Element>()
  @usableFromInline package var cache: CustomCache<Element>?
  /// The state of a log that is kept with care.
  @usableFromInline package var starting = Starting<Element>()
  @usableFromInline var forgetting: RetentionRules<Element>.Forgetting
  /// The place of the value that goes through the receivers: it and later values are kept.
  @usableFromInline var passFloor = Int.max
  /// The place of the receiver that is being served: values from there on are kept.
  @usableFromInline var runFloor = Int.max
  /// The place of the oldest value for a receiver that stalls at the newest values: it and later values are kept.
  @usableFromInline var slideFloor = Int.max
  /// The value that the newest one has just replaced, for receivers that may have requested it.
  @usableFromInline package var displaced: Element?
  @usableFromInline package var end: End?

  @inlinable
  init(_ rules: RetentionRules<Element>, newest: Element?, isOpen: Bool) {
    newestIsCached = newest != nil
    self.newest = newest
    forgetting = rules.forgetting
    starting.availability = rules.startsAtBeginning ? .available : .notYet
    guard isOpen else { return }
    starting.hasUpstream = true
    cache = rules.makeCache?()
    starting.headers = rules.makeHeaders?()
  }

  @inlinable var floor: Int { min(passFloor, runFloor, slideFloor) }

  @inlinable var cachedNewest: Element? { newestIsCached ? newest : nil }
}

@available(*, unavailable)
extension RetentionRules: Sendable {}

@available(*, unavailable)
extension RetentionRules.Forgetting: Sendable {}

@available(*, unavailable)
extension RetentionRules.Mode: Sendable {}

@available(*, unavailable)
extension Retention: Sendable {}
