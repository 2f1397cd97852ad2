// Unsafe pointers: invariant: the log is reached only by the holder of its hub's drain. Every value
// from `head` up to `end` is initialised in exactly one chunk; `startChunk` holds the value at
// `start`, and is nil when `start == end`.

/// An append-only, chunked list of values, whose front is given up as it is forgotten.
///
/// `start` is where a newcomer begins; `head` is the oldest value still held, because a receiver
/// that lags may rest before `start`. Appending and forgetting are amortised O(1) a value.
@usableFromInline
struct Log<Element> {
  @usableFromInline static var smallestChunk: Int { 8 }
  @usableFromInline static var largestChunk: Int { 1024 }

  @usableFromInline var first: Chunk<Element>?
  @usableFromInline var last: Chunk<Element>?
  @usableFromInline var spare: Chunk<Element>?
  @usableFromInline var startChunk: Chunk<Element>?
  @usableFromInline var head = 0
  @usableFromInline var start = 0
  @usableFromInline var end = 0

  @inlinable
  init() {}

  /// Appends a value, which a newcomer will receive until it is forgotten.
  @inlinable
  mutating func append(_ element: Element) {
    let chunk: Chunk<Element>
    if let last, !last.isFull { chunk = last } else { chunk = grow() }
    (chunk.slots + chunk.header.pointee.count).initialize(to: element)
    chunk.header.pointee.count &+= 1
    if startChunk == nil { startChunk = chunk }
    end &+= 1
  }

  /// Adds a chunk whose size follows what is held, so storage grows with content.
  @inlinable
  mutating func grow() -> Chunk<Element> {
    let wanted = min(max(end &- head, Self.smallestChunk), Self.largestChunk)
    let chunk: Chunk<Element>
    if let spare, spare.header.pointee.capacity >= wanted {
      chunk = spare
      self.spare = nil
      chunk.header.pointee.next = nil
      chunk.header.pointee.base = end
      chunk.header.pointee.count = 0
    } else {
      chunk = Chunk(base: end, capacity: wanted)
    }
    if let last { last.header.pointee.next = chunk.raw } else { first = chunk }
    last = chunk
    return chunk
  }

  /// Lets a newcomer begin one value later.
  @inlinable
  mutating func forgetOne() {
    start &+= 1
    if let chunk = startChunk, start == chunk.end { startChunk = chunk.next }
  }

  /// Lets a newcomer begin with the value appended last.
  @inlinable
  mutating func forgetAllButNewest() {
    start = end &- 1
    startChunk = last
  }

  /// Lets a newcomer begin behind the value appended last.
  @inlinable
  mutating func forgetAll() {
    start = end
    startChunk = nil
  }

  /// Takes the oldest value out if it lies before `limit` and nobody rests there.
  ///
  /// The value is returned, not released: releasing runs user code, and the log must be whole then.
  @inlinable
  mutating func takeForgotten(before limit: Int) -> Element? {
    guard head < min(start, limit), let chunk = first, chunk.resting(at: head) == 0 else {
      return nil
    }
    let element = chunk.slot(head).move()
    head &+= 1
    if head == chunk.end, chunk.isFull { unlinkFirst(chunk) }
    return element
  }

  /// Takes the value appended last out again.
  ///
  /// Only for a log in which nobody rests.
  @inlinable
  mutating func takeNewest() -> Element? {
    guard start < end, let last, last.header.pointee.count > 0 else { return nil }
    end &-= 1
    last.header.pointee.count &-= 1
    if start == end { startChunk = nil }
    return last.slot(end).move()
  }

  @inlinable
  mutating func unlinkFirst(_ chunk: Chunk<Element>) {
    first = chunk.next
    if first == nil { last = nil }
    if let spare {
      // The larger one serves longer.
      if spare.header.pointee.capacity >= chunk.header.pointee.capacity {
        chunk.free()
        return
      }
      spare.free()
    }
    spare = chunk
  }

  /// Whether there is anything to take out.
  @inlinable
  func canForget(before limit: Int) -> Bool { head < min(start, limit) }

  /// Gives everything up, in a loop: a long chain does not grow the stack.
  @inlinable
  mutating func destroy() {
    forgetAll()
    while let chunk = first {
      let from = chunk.slot(head)
      let count = chunk.end &- head
      head = chunk.end
      first = chunk.next
      from.deinitialize(count: count)
      chunk.free()
    }
    last = nil
    spare?.free()
    spare = nil
  }
}

@available(*, unavailable)
extension Log: Sendable {}

extension Log {
  /// Every value that is held, oldest first.
  var values: [Element] {
    var values: [Element] = []
    var chunk = first
    var index = head
    while let current = chunk {
      while index < current.end {
        values.append(current.slot(index).pointee)
        index &+= 1
      }
      chunk = current.next
    }
    return values
  }
}
