// Unsafe pointers: invariant: the list is reached only by the holder of the hub's drain. Slots below
// `count` are initialised. A cursor lives until its slot is vacated (`Slot`). While a value goes through the
// list, slots are vacated but never moved.
//
// Unmanaged references: invariant: a slot retains its cursor, or refers to closures, which are retained by their cursor
// until it is detached, and the cursor lives as long (`SinkCursor`). The slot is vacated before that.
//
// Unsafe pointers: invariant: the lowest bit of an object's address is always 0. The slot uses it as a mark: 1 for
// `SinkClosures`, 0 for a `DemandCursor`.

/// The receivers of a hub in the order in which they came; leaving is O(1), amortised.
@frozen @usableFromInline
package struct SlotList<Element, End> {
  @usableFromInline var slots: UnsafeMutablePointer<Slot<Element, End>>?
  @usableFromInline var count = 0
  @usableFromInline var capacity = 0
  @usableFromInline var vacant = 0

  @inlinable init() {}

  @inlinable var occupied: Int { count &- vacant }

  @inlinable
  subscript(index: Int) -> Slot<Element, End> {
    // Only called with an index below `count`, which implies that there is storage.
    slots.unsafelyUnwrapped[index]
  }

  /// Adds a receiver at the end.
  @inlinable
  mutating func append(_ cursor: Cursor<Element, End>) {
    if count == capacity { resize(to: max(capacity * 2, 4)) }
    (slots.unsafelyUnwrapped + count).initialize(to: Slot(retaining: cursor))
    cursor.slot = Int32(truncatingIfNeeded: count)
    count &+= 1
  }

  /// Empties the slot of a receiver; the caller then releases the cursor, unless it is that of a sink.
  @inlinable
  mutating func vacate(_ cursor: Cursor<Element, End>) {
    slots.unsafelyUnwrapped[Int(cursor.slot)] = Slot()
    cursor.slot = -1
    vacant &+= 1
  }

  /// Closes gaps when they are more than half; only while nothing goes through the list.
  @inlinable
  @inline(__always)
  mutating func compactIfSparse() { if vacant > 0 { closeGaps() } }

  @usableFromInline
  @inline(never)
  mutating func closeGaps() {
    while count > 0, self[count &- 1].isVacant {
      count &-= 1
      vacant &-= 1
    }
    if vacant > count / 2 { compact() }
    if count == 0, capacity > 16 { resize(to: 0) }
  }

  mutating func compact() {
    var filled = 0
    for index in 0..<count {
      let slot = self[index]
      guard let cursor = slot.cursor else { continue }
      cursor._withUnsafeGuaranteedRef { $0.slot = Int32(truncatingIfNeeded: filled) }
      slots.unsafelyUnwrapped[filled] = slot
      filled &+= 1
    }
    count = filled
    vacant = 0
    if capacity > 16, count < capacity / 4 { resize(to: capacity / 2) }
  }

  @usableFromInline
  mutating func resize(to wanted: Int) {
    let old = slots
    slots = wanted == 0 ? nil : .allocate(capacity: wanted)
    if let old {
      slots?.moveInitialize(from: old, count: count)
      old.deallocate()
    }
    capacity = wanted
  }
}

extension SlotList {
  /// The receivers in the order in which they came.
  package var cursors: [Cursor<Element, End>] {
    (0..<count).compactMap { self[$0].cursor?.takeUnretainedValue() }
  }
}

/// A place in the list of a hub's receivers: a receiver, or vacant.
///
/// A delivery to a sink needs only its closures. So for a sink the slot holds their address, with the lowest bit
/// set.
@frozen @usableFromInline
struct Slot<Element, End> {
  @usableFromInline let word: UInt

  /// Creates a vacant slot.
  @inlinable init() { word = 0 }

  /// Creates a slot for a receiver; retains the cursor, unless it is that of a sink.
  @inlinable
  init(retaining cursor: Cursor<Element, End>) {
    word =
      cursor.isSink
      ? UInt(bitPattern: cursor.receiver.toOpaque()) | 1
      : UInt(bitPattern: retainedAddress(of: cursor))
  }

  @inlinable var isVacant: Bool { word == 0 }

  /// The closures, if the receiver is a sink.
  @inlinable
  var closures: Unmanaged<SinkClosures<Element, End>>? {
    @inline(__always) get {
      guard word & 1 != 0, let closures = UnsafeRawPointer(bitPattern: word & ~1) else { return nil }
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
  @inlinable
  var cursor: Unmanaged<Cursor<Element, End>>? {
    if let closures { return closures._withUnsafeGuaranteedRef { $0.cursor } }
    guard let demandCursor else { return nil }
    return .fromOpaque(demandCursor.toOpaque())
  }
}

@available(*, unavailable)
extension SlotList: Sendable {}

@available(*, unavailable)
extension Slot: Sendable {}
