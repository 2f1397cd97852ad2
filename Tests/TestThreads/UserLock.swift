import Dispatch
@_exported public import FanoutTestSupport

/// A lock of the user's, which a test takes inside subscribers and around sends.
public final class UserLock: Sendable {
  private let lock = DispatchSemaphore(value: 1)

  /// Makes a lock that is free.
  public init() {}

  /// Runs a closure under the lock.
  ///
  /// Returns false, without running it, if waiting for the lock counts as a hang.
  @discardableResult
  public func hold(_ body: () -> Void) -> Bool {
    guard lock.wait(timeout: .now() + patience) == .success else { return false }
    defer { lock.signal() }
    body()
    return true
  }

  /// Whether the lock is free; a thread that holds it gets false too, where `hold(_:)` would wait
  /// for ever.
  public var isFree: Bool {
    guard lock.wait(timeout: .now()) == .success else { return false }
    lock.signal()
    return true
  }
}
