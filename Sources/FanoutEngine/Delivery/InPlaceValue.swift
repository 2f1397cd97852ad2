// Invariant of the unsafe memory: `words` holds a `Value` that was moved in, or the address of
// memory that does, exactly while `isSet`. The owner's `clear()` frees that memory, at the latest
// in its `deinit`. The storage is a stored property of a class, so it is not moved, and its owner
// reaches it from one thread at a time.

/// Storage for one value, which lies in it if the value is small.
///
/// Its owner calls `clear()`. The `deinit` of a generic class is never specialised: a property of
/// an optional type would cost a look-up of that type there, each time.
@frozen
public struct InPlaceValue<Value>: ~Copyable {
  @usableFromInline typealias Words = (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt)

  @usableFromInline var words: Words = (0, 0, 0, 0, 0, 0, 0, 0)
  @usableFromInline var isSet = false
  @usableFromInline var hasMemory = false

  /// Creates empty storage: a value is put in when the storage is where it stays.
  @inline(__always)
  public init() {}

  @inlinable static var isSmall: Bool {
    MemoryLayout<Value>.size <= MemoryLayout<Words>.size
      && MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
  }

  @inlinable
  @inline(__always)
  mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<Value>) -> Result) -> Result {
    let isInMemory = hasMemory
    return withUnsafeMutablePointer(to: &words) { words in
      let raw = UnsafeMutableRawPointer(words)
      guard isInMemory else { return body(raw.assumingMemoryBound(to: Value.self)) }
      return body(raw.load(as: UnsafeMutablePointer<Value>.self))
    }
  }

  /// Moves a value in; there must be none.
  @inlinable
  @inline(__always)
  public mutating func put(_ value: consuming Value) {
    if !Self.isSmall, !hasMemory {
      words.0 = UInt(bitPattern: UnsafeMutablePointer<Value>.allocate(capacity: 1))
      hasMemory = true
    }
    let moved = consume value
    if hasMemory {
      withPointer { $0.initialize(to: moved) }
    } else {
      withUnsafeMutablePointer(to: &words) {
        _ = UnsafeMutableRawPointer($0).initializeMemory(as: Value.self, to: moved)
      }
    }
    isSet = true
  }

  /// Moves the value out, if there is one.
  @inlinable
  @inline(__always)
  public mutating func take() -> Value? {
    guard isSet else { return nil }
    isSet = false
    return withPointer { $0.move() }
  }

  /// Destroys the value, if there is one, and frees the memory.
  @inline(__always)
  public mutating func clear() {
    if isSet || hasMemory { destroy() }
  }

  // Not inlined, so that a `deinit` looks up the type only if there is something to destroy.
  @inline(never)
  mutating func destroy() {
    withExtendedLifetime(take()) {}
    guard hasMemory else { return }
    withPointer { $0.deallocate() }
    hasMemory = false
  }

  /// Returns a copy of the value, if there is one.
  package mutating func copy() -> Value? { isSet ? withPointer { $0.pointee } : nil }
}

@available(*, unavailable)
extension InPlaceValue: Sendable {}
