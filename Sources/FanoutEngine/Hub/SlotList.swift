// Unsafe pointers: invariant: the list is reached only by the holder of the hub's drain. Words
// below `count` are initialised. A cursor lives until its slot is vacated (`Slot`). While a value
// goes through the list, slots are vacated but never moved.
//
// Unmanaged references: invariant: a slot retains its cursor, or refers to closures, which are
// retained by their cursor until it is detached, and the cursor lives as long (`SinkCursor`). The
// slot is vacated before that.
//
// Unsafe pointers: invariant: the lowest bit of an object's address is always 0. The slot uses it
// as a mark: 1 for `SinkClosures`, 0 for a `DemandCursor`.

/// The receivers of a hub in the order in which they came; leaving is O(1), amortised.
///
/// It holds the words of slots and has no type parameter, so that cold code needs no type of the
/// values for it.
@usableFromInline
package struct SlotList {
  @usableFromInline var words: UnsafeMutablePointer<UInt>?
  @usableFromInline var count = 0
  var capacity = 0
  var vacant = 0

  var occupied: Int { count &- vacant }

  @inlinable
  subscript(index: Int) -> UInt {
    // Only called with an index below `count`, which implies that there is storage.
    words.unsafelyUnwrapped[index]
  }

  /// Adds a receiver at the end; returns its place.
  mutating func append(_ word: UInt) -> Int {
    if count == capacity { resize(to: max(capacity * 2, 4)) }
    (words.unsafelyUnwrapped + count).initialize(to: word)
    count &+= 1
    return count &- 1
  }

  /// Empties a slot; the caller then releases the cursor, unless it is that of a sink.
  mutating func vacate(_ place: Int) {
    words.unsafelyUnwrapped[place] = 0
    vacant &+= 1
  }

  /// Closes gaps when they are more than half; only while nothing goes through the list.
  ///
  /// - Parameter move: The closure that tells a receiver of its new place.
  @inline(never)
  mutating func closeGaps(_ move: (_ word: UInt, _ place: Int) -> Void) {
    while count > 0, self[count &- 1] == 0 {
      count &-= 1
      vacant &-= 1
    }
    if vacant > count / 2 {
      var filled = 0
      for index in 0..<count {
        let word = self[index]
        guard word != 0 else { continue }
        move(word, filled)
        words.unsafelyUnwrapped[filled] = word
        filled &+= 1
      }
      count = filled
      vacant = 0
      if capacity > 16, count < capacity / 4 { resize(to: capacity / 2) }
    }
    if count == 0, capacity > 16 { resize(to: 0) }
  }

  mutating func resize(to wanted: Int) {
    let old = words
    words = wanted == 0 ? nil : .allocate(capacity: wanted)
    if let old {
      words?.moveInitialize(from: old, count: count)
      old.deallocate()
    }
    capacity = wanted
  }
}

extension Hub {
  /// Returns the slot at a place in the list.
  @inlinable
  @inline(__always)
  func slot(_ index: Int) -> Slot<Element, End> { Slot(word: members.slots[index]) }

  /// Closes the gaps in the list when they are more than half; only while nothing goes through the
  /// list.
  @inline(__always)
  func compactIfSparse() { if members.slots.vacant > 0 { closeGaps() } }

  @inline(never)
  func closeGaps() {
    members.slots.closeGaps { word, place in
      guard let cursor = Slot<Element, End>(word: word).cursor else { return }
      cursor._withUnsafeGuaranteedRef { $0.slot = Int32(truncatingIfNeeded: place) }
    }
  }

  /// The receivers in the order in which they came.
  package var cursors: [Cursor<Element, End>] {
    (0..<members.slots.count).compactMap { slot($0).cursor?.takeUnretainedValue() }
  }

  /// Calls a closure with each receiver that is there; no slot may move meanwhile.
  @inline(__always)
  func forEachCursor(_ body: (Cursor<Element, End>) -> Void) {
    for index in 0..<members.slots.count {
      if let cursor = slot(index).cursor?.takeUnretainedValue() { body(cursor) }
    }
  }
}

/// A place in the list of a hub's receivers: a receiver, or vacant.
///
/// A delivery to a sink needs only its closures. So for a sink the slot holds their address, with
/// the lowest bit set.
@frozen @usableFromInline struct Slot<Element, End> {
  @usableFromInline let word: UInt

  @inlinable init(word: UInt) { self.word = word }

  /// Creates a slot for a receiver; retains the cursor, unless it is that of a sink.
  @inline(__always)
  init(retaining cursor: Cursor<Element, End>) {
    word =
      cursor.isSink
      ? UInt(bitPattern: cursor.receiver.toOpaque()) | 1
      : UInt(bitPattern: retainedAddress(of: cursor))
  }

  /// The closures, if the receiver is a sink.
  @inlinable
  var closures: Unmanaged<SinkClosures<Element, End>>? {
    @inline(__always) get {
      guard word & 1 != 0, let closures = UnsafeRawPointer(bitPattern: word & ~1) else {
        return nil
      }
      return .fromOpaque(closures)
    }
  }

  /// The cursor, if the receiver is not a sink.
  @inlinable
  var demandCursor: Unmanaged<DemandCursor<Element, End>>? {
    @inline(__always) get {
      guard word & 1 == 0, let cursor = UnsafeRawPointer(bitPattern: word) else { return nil }
      return .fromOpaque(cursor)
    }
  }

  /// The receiver's cursor.
  var cursor: Unmanaged<Cursor<Element, End>>? {
    if let closures { return closures._withUnsafeGuaranteedRef { $0.cursor } }
    guard let demandCursor else { return nil }
    return .fromOpaque(demandCursor.toOpaque())
  }
}
