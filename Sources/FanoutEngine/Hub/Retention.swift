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

  @usableFromInline let mode: Mode
  /// Whether the inbox keeps the newest accepted value.
  @usableFromInline let tellsNewest: Bool
  /// Whether the end replaces a newest value that a receiver has not taken.
  @usableFromInline let newestIsOvertaken: Bool
  /// The greatest number of values that a newcomer receives.
  @usableFromInline let limit: Int
  /// Whether a log forgets values during a connection.
  @usableFromInline let isForgetful: Bool
  @usableFromInline package let isKeyframe: ((Element) -> Bool)?
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
    var isKeyframe: ((Element) -> Bool)?
    var makeCache: (() -> CustomCache<Element>)?
    switch policy.kind {
    case .nothing where keepsForReceivers: mode = .custom
    case .nothing: mode = .lossy
    case .newest where keepsForReceivers:
      mode = .log
      limit = 1
    case .newest(let isOvertaken):
      mode = .newest
      overtaken = isOvertaken
    case .everything: mode = .log
    case .last(let count):
      mode = .log
      limit = count
    case .sinceKeyframe(let predicate):
      mode = .log
      isKeyframe = predicate
    case .custom(let factory):
      mode = .custom
      makeCache = factory
    }
    self.tellsNewest = tellsNewest
    self.limit = limit
    self.isKeyframe = isKeyframe
    self.makeCache = makeCache
    newestIsOvertaken = overtaken
    isForgetful = limit < .max || isKeyframe != nil
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
  /// The place of the value that goes through the receivers: it and later values are kept.
  @usableFromInline var passFloor = Int.max
  /// The place of the receiver that is being served: values from there on are kept.
  @usableFromInline var runFloor = Int.max
  /// The value that the newest one has just replaced, for receivers that may have requested it.
  @usableFromInline package var displaced: Element?
  @usableFromInline package var end: End?

  @inlinable
  init(newest: Element?) {
    newestIsCached = newest != nil
    self.newest = newest
  }

  @inlinable var floor: Int { min(passFloor, runFloor) }

  @inlinable var cachedNewest: Element? { newestIsCached ? newest : nil }
}

@available(*, unavailable)
extension RetentionRules: Sendable {}

@available(*, unavailable)
extension RetentionRules.Mode: Sendable {}

@available(*, unavailable)
extension Retention: Sendable {}
