// Invariant: the owner of a backlog guards it, so that one thread at a time reaches `log`.

/// The values that wait for one receiver, in a chunked list that any number of them leaves without growing
/// the stack.
///
/// Its owner guards it.
public final class Backlog<Element> {
  @exclusivity(unchecked) @usableFromInline var log = Log<Element>()

  /// Creates an empty backlog.
  @inlinable
  public init() { noteCreation(of: self, isPart: true) }

  @inlinable
  deinit { log.destroy() }

  /// The number of values.
  @inlinable public var count: Int { log.end &- log.head }

  /// Appends a value.
  @inlinable
  @inline(__always)
  public func append(_ element: Element) { log.append(element) }

  /// Removes and returns the newest value.
  @inlinable
  public func popLast() -> Element? { log.takeNewest() }

  /// Removes and returns the oldest value.
  @inlinable
  @inline(__always)
  public func popFirst() -> Element? { log.takeOldest() }

  /// Exchanges all values with another backlog.
  @inlinable
  @inline(__always)
  public func swapValues(with other: Backlog) { swap(&log, &other.log) }
}

@available(*, unavailable)
extension Backlog: Sendable {}

extension Backlog {
  /// Every value that waits, oldest first.
  package var values: [Element] { log.values }
}
