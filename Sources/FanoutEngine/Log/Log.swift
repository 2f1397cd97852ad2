// Unsafe pointers: invariant: one thread at a time reaches the log: the holder of its hub's drain,
// or a thread under the lock that guards its owner (`PullLog`, `ValueQueue`, `Inbox`,
// `borrowReplay(for:_:_:)`). Every value from `head` up to `end` is initialised in exactly one
// chunk; `startChunk` holds the place `start`, and is nil only when the chunk of that place does
// not exist yet.

/// An append-only, chunked list of values that releases its front when it is forgotten.
///
/// A new subscriber begins at `start`. `head` is the oldest value still held: a receiver that lags
/// may rest before `start`. Appending and forgetting are amortised O(1) a value.
@usableFromInline
package struct Log<Element> {
  @usableFromInline var first: Chunk<Element>?
  @usableFromInline var last: Chunk<Element>?
  var spare: Chunk<Element>?
  @usableFromInline var startChunk: Chunk<Element>?
  @usableFromInline var head = 0
  @usableFromInline var start = 0
  @usableFromInline var end = 0

  init() {}

  /// The number of values that a new subscriber receives.
  @inline(__always) var cachedCount: Int { end &- start }

  /// Appends a value, which new subscribers receive until it is forgotten.
  @inlinable
  @inline(__always)
  mutating func append(_ element: Element) {
    let chunk: Chunk<Element>
    if let last, !last.isFull { chunk = last } else { chunk = growing(&self) }
    (chunk.slots + chunk.header.pointee.count).initialize(to: element)
    chunk.header.pointee.count &+= 1
    end &+= 1
  }

  /// Moves the start by one value.
  @inline(__always)
  mutating func forgetOne() {
    start &+= 1
    if let chunk = startChunk, start == chunk.capacityEnd { startChunk = chunk.next }
  }

  /// Moves the start to the newest value.
  @inline(__always)
  mutating func forgetAllButNewest() {
    start = end &- 1
    startChunk = last
  }

  /// Moves the start behind the newest value.
  @inline(__always)
  @inlinable
  mutating func forgetAll() {
    start = end
    if let last, !last.isFull { startChunk = last } else { startChunk = nil }
  }

  /// Removes the oldest value if it lies before `limit` and no receiver rests there.
  ///
  /// The value is returned, not released: a release runs user code, and the log must be consistent
  /// then.
  mutating func takeForgotten(before limit: Int) -> Element? {
    guard let chunk = firstChunk(forgettingBefore: min(start, limit)) else { return nil }
    let element = chunk.slot(head).move()
    passFirst(in: chunk)
    return element
  }

  /// Releases the oldest value if it lies before `limit` and no receiver rests there; returns
  /// whether it did.
  ///
  /// Only for a value of which the caller has a copy, so that the release runs no user code.
  @inlinable
  @inline(__always)
  mutating func releaseForgotten(before limit: Int) -> Bool {
    guard let chunk = firstChunk(forgettingBefore: min(start, limit)) else { return false }
    chunk.slot(head).deinitialize(count: 1)
    passFirst(in: chunk)
    return true
  }

  /// Moves the oldest value to memory that holds none, if it lies before `end`, which is not behind
  /// the start, and no receiver rests there.
  @inline(__always)
  mutating func moveFirst(before end: Int, to memory: UnsafeMutablePointer<Element>) -> Bool {
    guard let chunk = firstChunk(forgettingBefore: end) else { return false }
    memory.initialize(to: chunk.slot(head).move())
    passFirst(in: chunk)
    return true
  }

  /// Returns the first chunk, if its oldest value lies before `end` and no receiver rests there.
  @inlinable
  @inline(__always)
  func firstChunk(forgettingBefore end: Int) -> Chunk<Element>? {
    guard head < end, let chunk = first, chunk.resting(at: head) == 0 else { return nil }
    return chunk
  }

  /// Moves the head behind the oldest value, which was moved out.
  @inlinable
  @inline(__always)
  mutating func passFirst(in chunk: Chunk<Element>) {
    head &+= 1
    if head == chunk.end, chunk.isFull { unlinkFirst(chunk, of: &self) }
  }

  /// Appends a value that is moved out of memory.
  @inline(__always)
  mutating func append(moving memory: UnsafeMutablePointer<Element>) {
    let chunk: Chunk<Element>
    if let last, !last.isFull { chunk = last } else { chunk = growing(&self) }
    (chunk.slots + chunk.header.pointee.count).initialize(to: memory.move())
    chunk.header.pointee.count &+= 1
    end &+= 1
  }

  /// Moves the oldest value to memory that holds none; returns false if there is none.
  ///
  /// Inlined, and so is `moveNewest(to:)`: a call from generic code would look up the type of the
  /// log.
  @inline(__always)
  mutating func moveOldest(to memory: UnsafeMutablePointer<Element>) -> Bool {
    guard head < end, let chunk = first else { return false }
    memory.initialize(to: chunk.slot(head).move())
    leaveOldest(in: chunk)
    return true
  }

  /// Moves the head and the start behind the oldest value, which was moved out or destroyed.
  ///
  /// Only for a log in which no receiver rests.
  @inlinable
  @inline(__always)
  mutating func leaveOldest(in chunk: Chunk<Element>) {
    head &+= 1
    start = head
    if head == chunk.capacityEnd {
      startChunk = chunk.next
      unlinkFirst(chunk, of: &self)
    }
  }

  /// Removes and returns the oldest value.
  ///
  /// New subscribers begin at this value.
  /// Only for a log in which no receiver rests.
  @inlinable
  @inline(__always)
  mutating func takeOldest() -> Element? {
    guard head < end, let chunk = first else { return nil }
    let element = chunk.slot(head).move()
    leaveOldest(in: chunk)
    return element
  }

  /// Removes the newest value.
  ///
  /// Only for a log in which no receiver rests.
  mutating func takeNewest() -> Element? { forgetNewest()?.move() }

  /// Moves the newest value to memory that holds none; returns false if there is none.
  ///
  /// Only for a log in which no receiver rests.
  @inline(__always)
  mutating func moveNewest(to memory: UnsafeMutablePointer<Element>) -> Bool {
    guard let slot = forgetNewest() else { return false }
    memory.initialize(to: slot.move())
    return true
  }

  /// Removes the newest value, which the caller moves out of the returned memory at once.
  @inline(__always)
  private mutating func forgetNewest() -> UnsafeMutablePointer<Element>? {
    guard start < end else { return nil }
    if last?.header.pointee.count == 0 { unlinkLast(of: &self) }
    guard let last else { return nil }
    end &-= 1
    last.header.pointee.count &-= 1
    return last.slot(end)
  }

  /// Returns the value at a place at which one is held.
  func value(at place: Int) -> Element { chunk(holding: place).slot(place).pointee }

  /// Puts a value in the place of another one, and returns that.
  mutating func exchange(_ element: Element, at place: Int) -> Element {
    let slot = chunk(holding: place).slot(place)
    let old = slot.move()
    slot.initialize(to: element)
    return old
  }

  /// Returns the chunk that holds the value at a place; cost: O(chunks).
  func chunk(holding place: Int) -> Chunk<Element> {
    precondition(place >= head && place < end)
    if let last, place >= last.header.pointee.base { return last }
    var chunk = first
    while let next = chunk?.next, place >= next.header.pointee.base { chunk = next }
    guard let chunk else { preconditionFailure("A log that holds a value has a chunk.") }
    return chunk
  }

  /// Releases everything in a loop, so that a long chain does not grow the stack.
  @inline(__always)
  mutating func destroy() {
    if first != nil || spare != nil { destroyChunks() }
  }

  private mutating func destroyChunks() {
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
    startChunk = nil
    spare?.free()
    spare = nil
  }
}

// Functions and no methods: a call of a method from code for every type of value would look up the
// type of the log.

/// Adds a chunk whose size follows the number of values held.
@usableFromInline
@inline(never)
func growing<Element>(_ log: inout Log<Element>) -> Chunk<Element> {
  let wanted = min(max(log.end &- log.head, LogChunks.smallest), LogChunks.largest)
  let chunk: Chunk<Element>
  if let spare = log.spare, spare.header.pointee.capacity >= wanted {
    chunk = spare
    log.spare = nil
    chunk.header.pointee.next = nil
    chunk.header.pointee.base = log.end
    chunk.header.pointee.count = 0
  } else {
    chunk = Chunk(base: log.end, capacity: wanted)
  }
  if let last = log.last { last.header.pointee.next = chunk.raw } else { log.first = chunk }
  log.last = chunk
  if log.start == log.end { log.startChunk = chunk }
  return chunk
}

/// Takes out the first chunk, which is empty, and keeps it or frees it.
@usableFromInline
@inline(never)
func unlinkFirst<Element>(_ chunk: Chunk<Element>, of log: inout Log<Element>) {
  log.first = chunk.next
  if log.first == nil { log.last = nil }
  guard let spare = log.spare else {
    log.spare = chunk
    return
  }
  // The larger one serves longer.
  if spare.header.pointee.capacity >= chunk.header.pointee.capacity {
    chunk.free()
  } else {
    spare.free()
    log.spare = chunk
  }
}

/// Frees the last chunk, which is empty and not the only one; cost: O(chunks).
@inline(never)
private func unlinkLast<Element>(of log: inout Log<Element>) {
  guard let empty = log.last, var chunk = log.first else { return }
  while let next = chunk.next, next.raw != empty.raw { chunk = next }
  chunk.header.pointee.next = nil
  log.last = chunk
  empty.free()
}

/// The numbers of values in a chunk.
private enum LogChunks {
  static let smallest = 8
  static let largest = 1024
}

extension Log {
  /// Every value that is held, oldest first.
  package var values: [Element] { values(from: first, at: head) }

  /// The values that a new subscriber receives.
  var cachedValues: [Element] {
    start < end ? values(from: startChunk, at: start) : []
  }

  /// The values from a place on, which a chunk holds.
  func values(from first: Chunk<Element>?, at place: Int) -> [Element] {
    var values: [Element] = []
    var chunk = first
    var index = place
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
