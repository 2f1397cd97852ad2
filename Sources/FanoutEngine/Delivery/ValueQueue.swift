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

  /// Moves the oldest values behind those of another queue.
  package final func moveFirst(_ moved: Int, behind other: ValueQueue) {
    for _ in 0..<moved {
      guard let chunk = log.first else { return }
      other.log.append(moving: chunk.slot(log.head))
      log.leaveOldest(in: chunk)
    }
  }

  /// Moves the newest value to memory that holds none; returns false if there is none.
  public final func moveLast(to slot: UnsafeMutablePointer<Element>) -> Bool {
    log.moveNewest(to: slot)
  }

  /// Moves all values into a queue of their own, to be released by the caller; returns nil if there
  /// never were any.
  package final func takeAll() -> ValueQueue? {
    guard log.end != 0 else { return nil }
    let taken = ValueQueue()
    swapValues(with: taken)
    return taken
  }

  /// Copies the oldest values to memory that holds none, up to a number; returns how many.
  package final func copyFirst(_ limit: Int, to memory: UnsafeMutablePointer<Element>) -> Int {
    let copied = min(limit, count)
    var (done, chunk) = (0, log.first)
    while done < copied, let current = chunk {
      let place = log.head &+ done
      let part = min(copied &- done, current.end &- place)
      (memory + done).initialize(from: current.slot(place), count: part)
      done &+= part
      chunk = current.next
    }
    return copied
  }

  /// Removes the oldest values, of which the caller has copies, so that nothing is released.
  package final func removeFirst(_ removed: Int) {
    for _ in 0..<removed {
      guard let chunk = log.first else { return }
      chunk.slot(log.head).deinitialize(count: 1)
      log.leaveOldest(in: chunk)
    }
  }

  /// Exchanges all values with another queue.
  @inline(__always)
  public final func swapValues(with other: ValueQueue) {
    // The function `swap` would look up the type of the log.
    (log, other.log) = (other.log, log)
  }
}

@available(*, unavailable)
extension ValueQueue: Sendable {}

extension ValueQueue {
  /// Every value that waits, oldest first.
  package final var values: [Element] { log.values }
}
