/// A policy for the values that a hub keeps for later subscribers, and for subscribers that cannot take a
/// value.
public struct RetentionPolicy<Element> {
  @usableFromInline
  enum Kind {
    case nothing
    case newest(overtakenByEnd: Bool)
    case everything
    case last(Int)
    case sinceKeyframe((Element) -> Bool)
    case custom(() -> CustomCache<Element>)
  }

  @usableFromInline let kind: Kind

  @inlinable
  init(kind: Kind) { self.kind = kind }

  /// Keeps nothing; a subscriber that cannot take a value misses it.
  @inlinable public static var nothing: RetentionPolicy { RetentionPolicy(kind: .nothing) }

  /// Keeps the newest value, which also replaces a value that a receiver has not taken.
  ///
  /// If `overtakenByEnd` is true, the end replaces a value that a receiver has not taken, and a
  /// receiver that attaches after the end receives only the end.
  @inlinable
  public static func newest(overtakenByEnd: Bool) -> RetentionPolicy {
    RetentionPolicy(kind: .newest(overtakenByEnd: overtakenByEnd))
  }

  /// Keeps every value.
  @inlinable public static var everything: RetentionPolicy { RetentionPolicy(kind: .everything) }

  /// Keeps the last `count` values; an attached subscriber misses none.
  @inlinable
  public static func last(_ count: Int) -> RetentionPolicy { RetentionPolicy(kind: .last(count)) }

  /// Keeps the newest value for which `isKeyframe` returns true and all that follow it, or every value until
  /// there is one; an attached subscriber misses none.
  @inlinable
  public static func sinceKeyframe(_ isKeyframe: @escaping (Element) -> Bool) -> RetentionPolicy {
    RetentionPolicy(kind: .sinceKeyframe(isKeyframe))
  }

  /// Keeps the contents of a cache, which `makeCache` creates when one is needed; an attached subscriber
  /// misses none.
  @inlinable
  public static func custom(_ makeCache: @escaping () -> CustomCache<Element>) -> RetentionPolicy {
    RetentionPolicy(kind: .custom(makeCache))
  }

  /// Whether it keeps every value.
  @inlinable public var isEverything: Bool {
    if case .everything = kind { true } else { false }
  }

  /// Whether a receiver that has not requested a value can miss it.
  @inlinable public var isLossy: Bool {
    if case .nothing = kind { true } else { false }
  }
}

/// A user's cache, as the operations that a hub needs.
///
/// The closures are formed where the cache's type is known, so that they are specialised for it.
public final class CustomCache<Element> {
  @usableFromInline let record: (Element) -> Void
  @usableFromInline let contents: () -> [Element]
  @usableFromInline package let copy: () -> Any
  /// Whether the contents stand for everything recorded, so that a receiver can start again from them.
  @usableFromInline let isSnapshot: Bool

  /// Creates a cache from its operations, and one that copies it for diagnosis.
  ///
  /// The delivering thread calls them, never at the same time.
  @inlinable
  public init(
    record: @escaping (Element) -> Void, contents: @escaping () -> [Element],
    copy: @escaping () -> Any = { () }, isSnapshot: Bool = false
  ) {
    self.record = record
    self.contents = contents
    self.copy = copy
    self.isSnapshot = isSnapshot
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension RetentionPolicy: Sendable {}

@available(*, unavailable)
extension CustomCache: Sendable {}

@available(*, unavailable)
extension RetentionPolicy.Kind: Sendable {}
