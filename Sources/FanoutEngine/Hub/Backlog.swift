/// Values that wait for one receiver alone: what a custom cache had for it, or what came while it
/// was still being told of its subscription.
@usableFromInline
final class Backlog<Element> {
  @exclusivity(unchecked) @usableFromInline var log = Log<Element>()

  @inlinable init() { noteCreation(of: self, isPart: true) }

  @inlinable
  deinit { log.destroy() }

  @inlinable var count: Int { log.end &- log.head }

  @inlinable
  func append(_ element: Element) { log.append(element) }

  /// Takes the newest value out.
  @inlinable
  func popLast() -> Element? { log.takeNewest() }

  /// Takes the oldest value out.
  @inlinable
  func popFirst() -> Element? {
    guard log.start < log.end else { return nil }
    log.forgetOne()
    return log.takeForgotten(before: .max)
  }
}

@available(*, unavailable)
extension Backlog: Sendable {}
