import Foundation

/// Which thread runs. (`Thread.current.name` is not safe to use for this on Linux: set early in a
/// thread's life it is lost.)
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
