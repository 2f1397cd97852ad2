/// A policy for the values that a hub keeps for later subscribers, and for subscribers that cannot
/// take a value.
@frozen
public struct RetentionPolicy<Element> {
  @usableFromInline enum Kind {
    case nothing
    case newest(overtakenByEnd: Bool)
    case everything
    case last(Int, ValueLimits<Element>?)
    case sinceKeyframe(KeyframeRules<Element>)
    case undelivered(Int)
    case custom(() -> CustomCache<Element>)
  }

  let kind: Kind
  /// The closure that makes a cache of the values that go in front of a newcomer's replay.
  var makeHeaders: (() -> HeaderCache<Element>)?
  /// The closure that makes what asks the upstream for a start.
  var makeStartRequests: (() -> StartRequests)?

  init(kind: Kind) { self.kind = kind }

  /// Keeps nothing; a subscriber that cannot take a value misses it.
  public static var nothing: RetentionPolicy { RetentionPolicy(kind: .nothing) }

  /// Keeps the newest value, which also replaces a value that a receiver has not taken.
  ///
  /// If `overtakenByEnd` is true, the end replaces a value that a receiver has not taken, and a
  /// receiver that attaches after the end receives only the end.
  public static func newest(overtakenByEnd: Bool) -> RetentionPolicy {
    RetentionPolicy(kind: .newest(overtakenByEnd: overtakenByEnd))
  }

  /// Keeps every value.
  public static var everything: RetentionPolicy { RetentionPolicy(kind: .everything) }

  /// Keeps the last `count` values, as long as they stay within limits; an attached subscriber
  /// misses none.
  public static func last(_ count: Int, limits: ValueLimits<Element>? = nil) -> RetentionPolicy {
    RetentionPolicy(kind: .last(count, limits))
  }

  /// Keeps values from the newest keyframe on, or from the first value, as long as they stay within
  /// a limit; an attached subscriber that has started misses none.
  public static func sinceKeyframe(_ rules: KeyframeRules<Element>) -> RetentionPolicy {
    RetentionPolicy(kind: .sinceKeyframe(rules))
  }

  /// Keeps the last `count` values that came while no receiver was attached, for the first one that
  /// comes.
  public static func undelivered(_ count: Int) -> RetentionPolicy {
    RetentionPolicy(kind: .undelivered(count))
  }

  /// Keeps the contents of a cache, which `makeCache` creates when one is needed; an attached
  /// subscriber misses none.
  public static func custom(_ makeCache: @escaping () -> CustomCache<Element>) -> RetentionPolicy {
    RetentionPolicy(kind: .custom(makeCache))
  }

  /// Returns this policy with the newest header of each key in front of every replay.
  ///
  /// A cache does not say which of its values it has forgotten, so in front of one go all headers,
  /// and it records only the other values.
  public func headed(_ makeHeaders: @escaping () -> HeaderCache<Element>) -> RetentionPolicy {
    guard case .custom(let makeCache) = kind else {
      var policy = self
      policy.makeHeaders = makeHeaders
      return policy
    }
    return .custom {
      let (headers, cache) = (makeHeaders(), makeCache())
      var recorded = 0
      return CustomCache(
        record: {
          recorded &+= 1
          if !headers.record($0, recorded) { cache.record($0) }
        },
        headers: { headers.contents(.min).map { $0.value } }, contents: cache.values,
        count: cache.valueCount,
        copy: { (headers: headers.contents(.min).map { $0.value }, values: cache.copy()) })
    }
  }

  /// Returns this policy with requests for a start while a receiver waits for one.
  public func requesting(_ makeRequests: @escaping () -> StartRequests) -> RetentionPolicy {
    var policy = self
    policy.makeStartRequests = makeRequests
    return policy
  }

  /// Returns this policy for hubs that stand in for one another: they make their requests for a
  /// start together.
  package var forGenerations: RetentionPolicy {
    guard let requests = makeStartRequests?() else { return self }
    return requesting { requests }
  }

  /// Whether it keeps every value.
  public var isEverything: Bool {
    if case .everything = kind { true } else { false }
  }
}

/// The rules for a replay that begins at a keyframe.
public struct KeyframeRules<Element> {
  let isKeyframe: (Element) -> Bool
  /// The greatest number of values; with more, a newcomer waits for the next keyframe.
  let count: Int
  /// The limits beside `count`, or nil if there are none.
  let limits: ValueLimits<Element>?
  /// Whether a receiver may start at the first value of a connection, whatever that is.
  let fromBeginning: Bool

  /// Creates rules; by default there is no limit.
  public init(
    isKeyframe: @escaping (Element) -> Bool, count: Int = .max,
    limits: ValueLimits<Element>? = nil, fromBeginning: Bool = true
  ) {
    self.isKeyframe = isKeyframe
    self.count = count
    self.limits = limits
    self.fromBeginning = fromBeginning
  }

  /// Whether a receiver can start at any time.
  var canAlwaysStart: Bool { count == .max && limits == nil && fromBeginning }
}

/// The newest header of each key, as the operations that a hub needs.
///
/// The closures are formed where the type of the key is known.
public final class HeaderCache<Element> {
  /// Records a value with its place if it is a header, and returns whether it is.
  let record: (Element, Int) -> Bool
  /// Returns the headers from a place on, in the order of their places.
  package let contents: (_ from: Int) -> [(place: Int, value: Element)]

  /// Creates a cache from its operations.
  public init(
    record: @escaping (Element, Int) -> Bool,
    contents: @escaping (_ from: Int) -> [(place: Int, value: Element)]
  ) {
    self.record = record
    self.contents = contents
    noteCreation(of: self, isPart: true)
  }
}

/// A user's cache, as the operations that a hub needs.
///
/// The closures are formed where the cache's type is known, so that they are specialised for it.
public final class CustomCache<Element> {
  let record: (Element) -> Void
  /// Returns the values that come in front of all others; nil if there are none.
  let headers: (() -> [Element])?
  let values: () -> [Element]
  let valueCount: () -> Int
  package let copy: () -> Any
  /// Whether the contents stand for everything recorded, so that a receiver can start again from
  /// them.
  let isSnapshot: Bool

  /// Creates a cache from its operations, and one that copies it for diagnosis.
  ///
  /// The delivering thread calls them, never at the same time.
  public init(
    record: @escaping (Element) -> Void, headers: (() -> [Element])? = nil,
    contents: @escaping () -> [Element], count: (() -> Int)? = nil,
    copy: @escaping () -> Any = { () },
    isSnapshot: Bool = false
  ) {
    self.record = record
    self.headers = headers
    values = contents
    valueCount = count ?? { contents().count }
    self.copy = copy
    self.isSnapshot = isSnapshot
    noteCreation(of: self, isPart: true)
  }

  /// Returns the headers, and then the other values.
  func contents() -> [Element] {
    guard let headers else { return values() }
    return headers() + values()
  }

  /// Returns the number of values that ``contents()`` would return.
  func count() -> Int { (headers?().count ?? 0) + valueCount() }
}

@available(*, unavailable)
extension RetentionPolicy: Sendable {}

@available(*, unavailable)
extension CustomCache: Sendable {}

@available(*, unavailable)
extension KeyframeRules: Sendable {}

@available(*, unavailable)
extension HeaderCache: Sendable {}
