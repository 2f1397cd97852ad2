// Unsafe pointers: invariant: `memory` of a slot holds a value exactly while `isSet`, or until its
// taker has moved or destroyed the value; that of a group holds `count` values. The owner guards
// both, keeps one copy of them, and frees the memory in its `deinit`.

internal import FanoutEngine

/// A place for a value or none, in memory of its own.
///
/// An optional would be looked up wherever it is made, stored or released. Methods are inlined: a
/// call would look the type up.
package struct ValueSlot<Value> {
  /// Allocated with the first value.
  private var memory: UnsafeMutablePointer<Value>?
  private(set) var isSet = false

  /// The value, if there is one.
  package var value: Value? { isSet ? memory?.pointee : nil }

  /// Puts a value in; there must be none.
  @inline(__always)
  mutating func put(_ value: Value) {
    let memory = memory ?? .allocate(capacity: 1)
    memory.initialize(to: value)
    self.memory = memory
    isSet = true
  }

  /// Takes the value out; the caller moves or destroys it before another one is put in.
  @inline(__always)
  mutating func take() -> UnsafeMutablePointer<Value>? {
    guard isSet else { return nil }
    isSet = false
    return memory
  }

  /// Releases the value, if there is one, and frees the memory.
  func free() {
    if isSet { memory?.deinitialize(count: 1) }
    memory?.deallocate()
  }
}

/// Values in memory of their own, until an array is made of them.
///
/// An array that grows would be looked up for each value.
package struct ValueGroup<Value> {
  private var memory: UnsafeMutablePointer<Value>?
  private var capacity = 0
  private(set) var count = 0

  /// The values.
  package var values: [Value] { Array(UnsafeBufferPointer(start: memory, count: count)) }

  /// Adds a value.
  @inline(__always)
  mutating func append(_ value: Value) {
    if count == capacity { grow() }
    guard let memory else { return }
    (memory + count).initialize(to: value)
    count &+= 1
  }

  @inline(never)
  private mutating func grow() {
    capacity = max(capacity &* 2, 4)
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity)
    if let memory {
      larger.moveInitialize(from: memory, count: count)
      memory.deallocate()
    }
    memory = larger
  }

  /// Moves all values into an array.
  ///
  /// The memory is kept for the next ones, unless it is large.
  mutating func takeAll() -> [Value] {
    let count = count
    let values = [Value](unsafeUninitializedCapacity: count) { buffer, initialized in
      guard let start = buffer.baseAddress, let memory else { return }
      start.moveInitialize(from: memory, count: count)
      initialized = count
    }
    self.count = 0
    if capacity > 64 {
      free()
      (memory, capacity) = (nil, 0)
    }
    return values
  }

  /// Releases the values, and frees the memory.
  func free() {
    memory?.deinitialize(count: count)
    memory?.deallocate()
  }
}
