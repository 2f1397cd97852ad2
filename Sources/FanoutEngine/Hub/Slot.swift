// Unmanaged references: invariant: a slot retains its cursor, or refers to closures, which retain their cursor
// and are retained by it until it is detached (`SinkCursor`). The slot is vacated before that.
//
// Unsafe pointers: invariant: the lowest bit of an object's address is always 0. The slot uses it as a mark: 1 for
// `SinkClosures`, 0 for a `DemandCursor`.

/// A place in the list of a hub's receivers: a receiver, or vacant.
///
/// A delivery to a sink needs only its closures. So for a sink the slot holds their address, with the lowest bit
/// set.
@frozen
@usableFromInline
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
      word & 1 == 0 ? nil : UnsafeRawPointer(bitPattern: word & ~1).map { .fromOpaque($0) }
    }
  }

  /// The cursor, if the receiver is not a sink.
  @inlinable
  var demandCursor: Unmanaged<DemandCursor<Element, End>>? {
    @inline(__always) get {
      word & 1 == 0 ? UnsafeRawPointer(bitPattern: word).map { .fromOpaque($0) } : nil
    }
  }

  /// The receiver's cursor.
  @inlinable
  var cursor: Unmanaged<Cursor<Element, End>>? {
    guard let closures else { return demandCursor.map { .fromOpaque($0.toOpaque()) } }
    return closures._withUnsafeGuaranteedRef { $0.cursor }
  }
}

@available(*, unavailable)
extension Slot: Sendable {}
