/// Values that wait for one receiver alone, in a chunked list: any number of them is released without
/// growing the stack.
///
/// It is guarded by whoever holds it.
public final class Backlog<Element> {
  @exclusivity(unchecked) @usableFromInline var log = Log<Element>()

  /// Makes an empty one.
  @inlinable
  public init() { noteCreation(of: self, isPart: true) }

  @inlinable
  deinit { log.destroy() }

  /// How many wait.
  @inlinable public var count: Int { log.end &- log.head }

  /// The oldest value.
  @inlinable public var first: Element? {
    log.start < log.end ? log.first?.slot(log.head).pointee : nil
  }

  /// Adds a value behind all others.
  @inlinable
  public func append(_ element: Element) { log.append(element) }

  /// Takes the newest value out.
  @inlinable
  public func popLast() -> Element? { log.takeNewest() }

  /// Takes the oldest value out.
  @inlinable
  public func popFirst() -> Element? {
    guard log.start < log.end else { return nil }
    log.forgetOne()
    return log.takeForgotten(before: .max)
  }
}

@available(*, unavailable)
extension Backlog: Sendable {}

extension Backlog {
  /// Every value that waits, oldest first.
  package var values: [Element] { log.values }
}
