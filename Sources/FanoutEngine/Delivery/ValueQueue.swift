// Invariant: the owner of a queue guards it, so that one thread at a time reaches `log`.

/// A queue of values in a chunked list that any number of them leaves without growing the stack.
///
/// Its owner guards it.
public class ValueQueue<Element> {
  @exclusivity(unchecked) final var log = Log<Element>()

  /// Creates an empty queue.
  public init() { noteCreation(of: self, isPart: true) }

  deinit { log.destroy() }

  /// The number of values.
  public final var count: Int { log.end &- log.head }

  /// Appends a value.
  @inline(__always)
  public final func append(_ element: Element) { log.append(element) }

  /// Appends a value that is moved out of memory.
  @inline(__always)
  public final func append(moving memory: UnsafeMutablePointer<Element>) {
    log.append(moving: memory)
  }

  /// Removes and returns the newest value.
  public final func popLast() -> Element? { log.takeNewest() }

  /// Removes and returns the oldest value.
  @inline(__always)
  public final func popFirst() -> Element? { log.takeOldest() }

  /// Moves the oldest value to memory that holds none; returns false if there is none.
  public final func moveFirst(to slot: UnsafeMutablePointer<Element>) -> Bool {
    log.moveOldest(to: slot)
  }

  /// Moves the oldest value to memory in place of one; returns false, and changes nothing, if there is none.
  @inline(__always)
  public final func moveFirst(onto slot: UnsafeMutablePointer<Element>) -> Bool {
    guard count > 0 else { return false }
    // Released when the queue has its next value in front.
    let replaced = slot.move()
    defer { withExtendedLifetime(replaced) {} }
    return log.moveOldest(to: slot)
  }

  /// Moves the newest value to memory that holds none; returns false if there is none.
  public final func moveLast(to slot: UnsafeMutablePointer<Element>) -> Bool {
    log.moveNewest(to: slot)
  }

  /// Removes and returns the value behind the oldest `count` values; these stay in front.
  package final func takeBehind(_ count: Int) -> Element? {
    count == 0 ? log.takeOldest() : log.takeBehind(count)
  }

  /// Moves all values into a queue of their own, to be released by the caller; returns nil if there never were any.
  package final func takeAll() -> ValueQueue? {
    guard log.end != 0 else { return nil }
    let taken = ValueQueue()
    swapValues(with: taken)
    return taken
  }

  /// Exchanges all values with another queue.
  @inline(__always)
  public final func swapValues(with other: ValueQueue) { swap(&log, &other.log) }
}

@available(*, unavailable)
extension ValueQueue: Sendable {}

extension ValueQueue {
  /// Every value that waits, oldest first.
  package final var values: [Element] { log.values }
}
