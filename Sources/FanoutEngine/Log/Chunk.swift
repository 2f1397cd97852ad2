// Unsafe pointers: invariant: a chunk belongs to one log and is reached by the thread that may
// reach the log, and its slots from the log's head up to `count` are initialised. A receiver that
// keeps a chunk's address has registered a place in the chunk, so the chunk is not freed meanwhile.

/// The header of a chunk, whatever its values are: nested in the chunk it would be generic too.
@frozen @usableFromInline struct ChunkHeader {
  @usableFromInline var next: UnsafeMutableRawPointer?
  @usableFromInline var base: Int
  @usableFromInline var count = 0
  @usableFromInline var capacity: Int
  /// The number of receivers that rest at each slot; allocated when the first one rests.
  @usableFromInline var resting: UnsafeMutablePointer<UInt32>?

  init(base: Int, capacity: Int) { (self.base, self.capacity) = (base, capacity) }
}

/// A block of the log: a header and a fixed number of slots in one allocation.
@frozen @usableFromInline struct Chunk<Element> {
  @usableFromInline let raw: UnsafeMutableRawPointer

  @inlinable
  @inline(__always)
  init(_ raw: UnsafeMutableRawPointer) { self.raw = raw }

  @inline(__always) static var alignment: Int {
    max(MemoryLayout<ChunkHeader>.alignment, MemoryLayout<Element>.alignment)
  }
  @inlinable @inline(__always) static var offset: Int {
    let mask = MemoryLayout<Element>.alignment - 1
    return (MemoryLayout<ChunkHeader>.size + mask) & ~mask
  }

  @inline(__always)
  init(base: Int, capacity: Int) {
    raw = .allocate(
      byteCount: Self.offset + capacity * MemoryLayout<Element>.stride, alignment: Self.alignment)
    raw.initializeMemory(as: ChunkHeader.self, to: ChunkHeader(base: base, capacity: capacity))
  }

  @inlinable @inline(__always) var header: UnsafeMutablePointer<ChunkHeader> {
    raw.assumingMemoryBound(to: ChunkHeader.self)
  }
  @inlinable @inline(__always) var slots: UnsafeMutablePointer<Element> {
    (raw + Self.offset).assumingMemoryBound(to: Element.self)
  }
  @inlinable @inline(__always) var next: Chunk? {
    guard let next = header.pointee.next else { return nil }
    return Chunk(next)
  }
  /// The index behind the last value.
  @inlinable @inline(__always) var end: Int { header.pointee.base &+ header.pointee.count }
  /// The index behind the last value when the chunk is full; it never changes.
  @inlinable @inline(__always) var capacityEnd: Int {
    header.pointee.base &+ header.pointee.capacity
  }
  @inlinable @inline(__always) var isFull: Bool { header.pointee.count == header.pointee.capacity }

  /// Returns the address of the value with this index.
  @inlinable
  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutablePointer<Element> {
    slots + (index &- header.pointee.base)
  }

  /// Returns the index of the value at this place in the chunk.
  func index(at offset: UInt16) -> Int { header.pointee.base &+ Int(offset) }

  /// Returns the place in the chunk of the value with this index.
  func offset(of index: Int) -> UInt16 {
    UInt16(truncatingIfNeeded: index &- header.pointee.base)
  }

  /// Returns the number of receivers that rest at the value with this index.
  @inlinable
  @inline(__always)
  func resting(at index: Int) -> UInt32 {
    guard let counts = header.pointee.resting else { return 0 }
    return counts[index &- header.pointee.base]
  }

  /// Registers or takes back one receiver that rests at the value with this index.
  @usableFromInline
  func changeResting(at index: Int, arriving: Bool) {
    let counts: UnsafeMutablePointer<UInt32>
    if let existing = header.pointee.resting {
      counts = existing
    } else {
      counts = .allocate(capacity: header.pointee.capacity)
      counts.initialize(repeating: 0, count: header.pointee.capacity)
      header.pointee.resting = counts
    }
    counts[index &- header.pointee.base] &+= arriving ? 1 : UInt32.max
  }

  /// Frees the counts of receivers if none rests here, so that a chunk that is kept for a slow
  /// receiver takes no more than its values do.
  ///
  /// It looks at every count, so it is called when a receiver leaves the chunk, and not for each
  /// value.
  @usableFromInline
  func freeCounts() {
    guard let counts = header.pointee.resting else { return }
    for place in 0..<header.pointee.capacity where counts[place] != 0 { return }
    counts.deallocate()
    header.pointee.resting = nil
  }

  /// Frees an empty chunk.
  @inline(__always)
  func free() {
    header.pointee.resting?.deallocate()
    raw.deallocate()
  }
}
