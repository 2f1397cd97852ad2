// Unmanaged references: invariant: `object` is a `ValueQueue` of these values, with a retain that
// the owner gives back: it frees the queue in its `deinit`, and keeps one copy of it. Its guard
// keeps the queue in use from being taken out.

internal import FanoutEngine

/// A queue of values that is made with its first value: most subscriptions never keep one.
///
/// Its owner guards it. All is inlined, and the property has no type of its own: code that is not
/// specialised would look it up for each value.
package struct LateQueue<Value> {
  private var object: Unmanaged<AnyObject>?

  /// The number of values.
  @inline(__always)
  package var count: Int {
    guard let object else { return 0 }
    return Self.queue(object)._withUnsafeGuaranteedRef { $0.count }
  }

  /// Every value, oldest first.
  package var values: [Value] { (kept as? ValueQueue<Value>)?.values ?? [] }

  /// The queue, if it has been made.
  package var kept: AnyObject? { object?.takeUnretainedValue() }

  /// Appends a value.
  @inline(__always)
  mutating func append(_ value: Value) {
    if object == nil { object = makeQueue(of: Value.self) }
    guard let object else { return }
    Self.queue(object)._withUnsafeGuaranteedRef { $0.append(value) }
  }

  /// Appends a value that is moved out of memory.
  @inline(__always)
  mutating func append(moving memory: UnsafeMutablePointer<Value>) {
    if object == nil { object = makeQueue(of: Value.self) }
    guard let object else { return }
    Self.queue(object)._withUnsafeGuaranteedRef { $0.append(moving: memory) }
  }

  /// Moves the oldest value to memory that holds none; returns false if there is none.
  @inline(__always)
  func moveFirst(to slot: UnsafeMutablePointer<Value>) -> Bool {
    guard let object else { return false }
    return Self.queue(object)._withUnsafeGuaranteedRef { $0.moveFirst(to: slot) }
  }

  /// Removes and returns the oldest value.
  @inline(__always)
  func popFirst() -> Value? {
    guard let object else { return nil }
    return Self.queue(object)._withUnsafeGuaranteedRef { $0.popFirst() }
  }

  /// Moves the newest value to memory that holds none; returns false if there is none.
  @inline(__always)
  func moveLast(to slot: UnsafeMutablePointer<Value>) -> Bool {
    guard let object else { return false }
    return Self.queue(object)._withUnsafeGuaranteedRef { $0.moveLast(to: slot) }
  }

  /// Moves the oldest values behind those of another queue.
  @inline(__always)
  func moveFirst(_ moved: Int, behind other: inout LateQueue) {
    if other.object == nil { other.object = makeQueue(of: Value.self) }
    guard
      let object, let otherObject = other.object
    else { return }
    Self.queue(otherObject)._withUnsafeGuaranteedRef { other in
      Self.queue(object)._withUnsafeGuaranteedRef { $0.moveFirst(moved, behind: other) }
    }
  }

  /// Copies the oldest values to memory that holds none, up to a number; returns how many.
  @inline(__always)
  func copyFirst(_ limit: Int, to memory: UnsafeMutablePointer<Value>) -> Int {
    guard let object else { return 0 }
    return Self.queue(object)._withUnsafeGuaranteedRef { $0.copyFirst(limit, to: memory) }
  }

  /// Removes the oldest values, of which the caller has copies, so that nothing is released.
  @inline(__always)
  func removeFirst(_ removed: Int) {
    guard let object else { return }
    Self.queue(object)._withUnsafeGuaranteedRef { $0.removeFirst(removed) }
  }

  /// Exchanges all values with another queue.
  @inline(__always)
  mutating func swapValues(with other: inout LateQueue) {
    (object, other.object) = (other.object, object)
  }

  /// Takes all values out, to be released by the caller.
  @inline(__always)
  mutating func takeAll() -> AnyObject? {
    defer { object = nil }
    return object?.takeRetainedValue()
  }

  /// Releases all values.
  func free() { object?.release() }

  @inline(__always)
  private static func queue(_ object: Unmanaged<AnyObject>) -> Unmanaged<ValueQueue<Value>> {
    Unmanaged<ValueQueue<Value>>.fromOpaque(object.toOpaque())
  }
}

// Not inlined: it is called once.
@inline(never)
private func makeQueue<Value>(of type: Value.Type) -> Unmanaged<AnyObject> {
  .passRetained(ValueQueue<Value>())
}
