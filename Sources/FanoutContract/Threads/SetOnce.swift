// `@unchecked Sendable` invariant: the thread that wins the exchange retains the box once, and
// `deinit` releases it; in between it is only read.

internal import Synchronization

/// A place for one value, set once and read by any thread without a lock.
final class SetOnce<Value>: @unchecked Sendable {
  private final class Box {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  private let place = Atomic<UnsafeRawPointer?>(nil)

  /// The value, if there is one.
  var value: Value? {
    guard let raw = place.load(ordering: .sequentiallyConsistent) else { return nil }
    return Unmanaged<Box>.fromOpaque(raw).takeUnretainedValue().value
  }

  /// Stores the value unless there is one already.
  func set(_ value: Value) {
    let raw = UnsafeRawPointer(Unmanaged.passRetained(Box(value)).toOpaque())
    let (isFirst, _) = place.compareExchange(
      expected: nil, desired: raw, ordering: .sequentiallyConsistent)
    if !isFirst { Unmanaged<Box>.fromOpaque(raw).release() }
  }

  deinit {
    guard let raw = place.load(ordering: .acquiring) else { return }
    Unmanaged<Box>.fromOpaque(raw).release()
  }
}
