/// What a hub remembers for those who come later, and how it treats those who cannot take a value.
public struct Memory<Element> {
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

  /// Nothing; a value is lost on who cannot take it.
  @inlinable public static var nothing: Memory { Memory(kind: .nothing) }

  /// The newest value, which also replaces what a receiver has not taken yet.
  ///
  /// If it is overtaken by the end, a receiver that has not taken it when the end comes, or that
  /// comes after the end, gets the end alone.
  @inlinable
  public static func newest(overtakenByEnd: Bool) -> Memory {
    Memory(kind: .newest(overtakenByEnd: overtakenByEnd))
  }

  /// Every value; nothing is ever lost.
  @inlinable public static var everything: Memory { Memory(kind: .everything) }

  /// The last `count` values; nothing is lost on who is attached.
  @inlinable
  public static func last(_ count: Int) -> Memory { Memory(kind: .last(count)) }

  /// The newest value for which `isKeyframe` holds and all that follow it, or every value as long
  /// as there was none; nothing is lost on who is attached.
  @inlinable
  public static func sinceKeyframe(_ isKeyframe: @escaping (Element) -> Bool) -> Memory {
    Memory(kind: .sinceKeyframe(isKeyframe))
  }

  /// What a cache keeps, made anew by `makeCache` when one is needed; nothing is lost on who is
  /// attached.
  @inlinable
  public static func custom(_ makeCache: @escaping () -> CustomCache<Element>) -> Memory {
    Memory(kind: .custom(makeCache))
  }

  /// Whether a value can be lost on a receiver that has not asked for it.
  @inlinable public var isLossy: Bool {
    if case .nothing = kind { true } else { false }
  }
}

/// A cache that a user wrote, as the two things that a hub does with it.
///
/// The closures are made where the cache's type is known, so that they are specialised for it.
public final class CustomCache<Element> {
  @usableFromInline let record: (Element) -> Void
  @usableFromInline let contents: () -> [Element]
  @usableFromInline let copy: () -> Any

  /// Wraps the two operations, and one that copies the cache for who asks what it holds; they are
  /// called by the delivering thread, never at the same time.
  @inlinable
  public init(
    record: @escaping (Element) -> Void, contents: @escaping () -> [Element],
    copy: @escaping () -> Any = { () }
  ) {
    self.record = record
    self.contents = contents
    self.copy = copy
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension Memory: Sendable {}

@available(*, unavailable)
extension CustomCache: Sendable {}

@available(*, unavailable)
extension Memory.Kind: Sendable {}

extension CustomCache: ReferenceListing {
  // The closures capture the cache, of which the hub lists a copy, made while nobody records.
  package var heldReferences: [HeldReference] { [] }
}
