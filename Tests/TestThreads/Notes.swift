import FanoutEngine

/// A list that any thread may append to.
public final class Notes<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  /// Makes an empty list.
  public init() {}

  /// Appends an element.
  public func append(_ element: Element) { elements.withLock { $0.append(element) } }

  /// Every element so far.
  public var all: [Element] { elements.withLock { $0 } }

  /// The number of elements so far.
  public var count: Int { all.count }
}
