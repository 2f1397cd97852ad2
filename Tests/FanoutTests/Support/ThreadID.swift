import Foundation

/// The identity of the running thread.
///
/// `Thread.current.name` is not safe to use for this on Linux: it is lost if it is set early in a
/// thread's lifetime.
struct ThreadID: Hashable, Sendable {
  private let bits: UInt

  static var current: ThreadID {
    #if canImport(Darwin)
      ThreadID(bits: UInt(bitPattern: pthread_self()))
    #else
      ThreadID(bits: UInt(pthread_self()))
    #endif
  }
}
