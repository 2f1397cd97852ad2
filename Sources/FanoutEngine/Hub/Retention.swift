/// The treatment of a value that comes.
@usableFromInline enum RetentionMode: Sendable {
  case lossy
  case newest
  case log
  case custom
}

/// The way in which a value is kept: the mode and, where there is a log, what that forgets.
///
/// It is one number, so that a value is led to its way by one jump.
@usableFromInline enum Keeping: Sendable {
  case nothing
  case newest
  /// A log forgets nothing during a connection.
  case everything
  /// A log keeps the last values.
  case last
  /// A log keeps the values from the newest keyframe on.
  case sinceKeyframe
  /// A log has limits beside a number, or headers, or not every newcomer can start at once; see
  /// `Hub+Start`.
  case withStarts
  case custom

  /// Whether a log forgets values one by one or from keyframe to keyframe during a connection.
  var forgets: Bool {
    switch self {
    case .last, .sinceKeyframe, .withStarts: true
    case .nothing, .newest, .everything, .custom: false
    }
  }
}

/// A policy for retained values in the form that a hub asks for each value.
@usableFromInline
package struct RetentionRules<Element> {
  let mode: RetentionMode
  /// The way in which values are kept during a connection.
  let keeping: Keeping
  /// Whether the inbox keeps the newest accepted value.
  @usableFromInline let exposesCurrentValue: Bool
  /// Whether the end replaces a newest value that a receiver has not taken.
  let endOvertakesNewest: Bool
  /// Whether what a newcomer gets is not simply a stretch of the log, or it may have to wait for
  /// its start.
  let newcomersWait: Bool
  /// Whether a receiver may start at the first value of a connection, whatever that is.
  let startsAtBeginning: Bool
  /// Whether only what came while no receiver was attached is kept, and only for the first
  /// newcomer.
  let keepsUndelivered: Bool
  /// Whether the upstream is asked for no more than the receivers have room for.
  let limitsDemand: Bool
  /// Whether what a value costs limits what may wait for a loop.
  let measuresFetches: Bool
  /// Whether the upstream is asked for more, or for a start, while receivers need it.
  let requestsFromUpstream: Bool
  /// The greatest number of values that a newcomer receives.
  let limit: Int
  package let isKeyframe: ((Element) -> Bool)?
  /// The limits beside `limit`, or nil if there are none.
  package let limits: ValueLimits<Element>?
  package let makeHeaders: (() -> HeaderCache<Element>)?
  /// The object that asks the upstream for a start.
  package let startRequests: StartRequests?
  package let makeCache: (() -> CustomCache<Element>)?

  /// The number of the newest values with which a receiver goes on that rejoins; 0 if it keeps its
  /// replay and goes on with the next value, and nil if the values decide.
  var restartCount: Int? {
    switch keeping {
    case .nothing, .custom: 0
    case .newest: 1
    case .last: limit
    case .everything, .sinceKeyframe, .withStarts: nil
    }
  }

  /// Whether a receiver that rejoins goes on at the newest keyframe, or at the beginning of the
  /// connection.
  var restartsAtStart: Bool { keeping == .sinceKeyframe }

  /// Whether a newcomer can receive values from before it came.
  var hasReplay: Bool {
    switch mode {
    case .lossy: false
    case .custom: makeCache != nil
    case .newest, .log: true
    }
  }

  init(
    _ policy: RetentionPolicy<Element>, exposesCurrentValue: Bool, keepsForReceivers: Bool,
    limitsDemand: Bool, measuresFetches: Bool
  ) {
    var limit = Int.max
    var limits: ValueLimits<Element>?
    var keyframes: KeyframeRules<Element>?
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
    case .newest: mode = .newest
    case .everything: mode = .log
    case .last(let count, let others):
      mode = .log
      (limit, limits) = (count, others)
    case .sinceKeyframe(let rules):
      mode = .log
      (limit, limits) = (rules.count, rules.limits)
      keyframes = rules
    case .undelivered(let count):
      mode = .log
      limit = count
    case .custom(let factory):
      mode = .custom
      makeCache = factory
    }
    self.exposesCurrentValue = exposesCurrentValue
    self.limit = limit
    self.limits = limits
    isKeyframe = keyframes?.isKeyframe
    startsAtBeginning = keyframes?.fromBeginning ?? true
    keepsUndelivered = if case .undelivered = policy.kind { true } else { false }
    makeHeaders = policy.makeHeaders
    startRequests = policy.makeStartRequests?()
    self.limitsDemand = limitsDemand
    self.measuresFetches = measuresFetches
    requestsFromUpstream = limitsDemand || startRequests != nil
    self.makeCache = makeCache
    endOvertakesNewest =
      if mode == .newest, case .newest(true) = policy.kind { true } else { false }
    newcomersWait =
      keepsUndelivered || makeHeaders != nil || keyframes?.canAlwaysStart == false
    keeping =
      switch mode {
      case .lossy: .nothing
      case .newest: .newest
      case .custom: .custom
      case .log where newcomersWait || limits != nil: .withStarts
      case .log where keyframes != nil: .sinceKeyframe
      case .log: limit < .max ? .last : .everything
      }
  }
}

/// The values that a hub retains, and its end.
///
///       only for receivers that lag        the replay of a newcomer
///     ├─────────────────────────────┬─────────────────────────────┤
///     ↑ head       ↑                ↑ start      ↑                ↑ end
///                  A rests                       B rests          C has no place: it lacks nothing
///
/// A receiver that lags rests at one place, or it has as many values as its backlog allows: then it
/// slides, or has its own copies and is full (`Stall`). Without `Mode.log` no newcomer gets
/// anything from here, and *start* moves to *end* behind each value. Nothing from a receiver's
/// place on is released, nor from a floor on. The floors are the value that goes through the
/// receivers, the one that a receiver reads, and the oldest for those that slide.
///
/// These hold at the end of every turn of the drain (`Hub+Invariants`):
/// - I1: *head* ≤ *start* ≤ *end*, and no slot moves while a value goes through the receivers.
/// - I2: each counter of `Membership` is the number of the receivers in that state.
/// - I3: a receiver is regular, or lags at one place, or waits for a start, or has its end at one
///   place.
///
/// And these always:
/// - I4: no thread waits for the drain or for a reader.
/// - I5: nothing of the user's is called or released between lock and unlock, nor while another
///   thread can go on only after it.
@usableFromInline
package struct Retention<Element, End> {
  // What has a place of known size comes first: so its place is known without the type of the
  // values.
  /// Whether a newcomer receives the newest value.
  @usableFromInline var newestIsCached: Bool
  @usableFromInline package var log = Log<Element>()
  package var cache: CustomCache<Element>?
  /// The state of a log that is kept `withStarts`.
  package var starting = Starting<Element>()
  @usableFromInline var keeping: Keeping
  /// Whether the end has been passed on.
  private(set) var hasEnd = false
  /// The place of the value that goes through the receivers: it and later values are kept.
  var passFloor = Int.max
  /// The place of the receiver that is being served: values from there on are kept.
  @usableFromInline var runFloor = Int.max
  /// The place of the oldest value for a receiver that stalls at the newest values: it and later
  /// values are kept.
  var slideFloor = Int.max
  @usableFromInline package var newest: Element?
  /// The value that the newest one has just replaced, for receivers that may have requested it.
  @usableFromInline package var displaced: Element?
  package private(set) var end: End?

  init(_ rules: RetentionRules<Element>, newest: Element?, isOpen: Bool) {
    newestIsCached = newest != nil
    self.newest = newest
    keeping = rules.keeping
    starting.availability = rules.startsAtBeginning ? .available : .notYet
    if rules.limits != nil { starting.meter = ValueMeter(rules.limits) }
    guard isOpen else { return }
    starting.hasUpstream = true
    cache = rules.makeCache?()
    starting.headers = rules.makeHeaders?()
  }

  /// Notes the end, which is passed on from here.
  mutating func begin(_ end: End) { (self.end, hasEnd) = (end, true) }

  var cachedNewest: Element? { newestIsCached ? newest : nil }
}
