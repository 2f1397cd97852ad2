import Dispatch

/// A lock of the user's, that a test takes inside of subscribers and around sends.
public final class UserLock: Sendable {
  private let lock = DispatchSemaphore(value: 1)

  /// Makes a lock that is free.
  public init() {}

  /// Runs a closure alone.
  ///
  /// Returns false, without running it, if the lock cannot be had for so long that something hangs.
  @discardableResult
  public func hold(_ body: () -> Void) -> Bool {
    guard lock.wait(timeout: .now() + patience) == .success else { return false }
    defer { lock.signal() }
    body()
    return true
  }
}
