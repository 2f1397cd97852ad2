// Invariant: the pointer stored for a thread is a number plus one, and is never followed.

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A number that each thread has for itself; most threads have none.
public struct ThreadLocalNumber: Sendable {
  private let key: pthread_key_t

  /// Makes a number that no thread has yet.
  public init() {
    var key = pthread_key_t()
    let failure = pthread_key_create(&key, nil)
    precondition(
      failure == 0, "No thread-local key is left: error \(failure). Use fewer keys in this process."
    )
    self.key = key
  }

  /// The calling thread's number.
  public var number: Int? {
    get { pthread_getspecific(key).map { Int(bitPattern: $0) - 1 } }
    nonmutating set {
      pthread_setspecific(key, newValue.flatMap { UnsafeRawPointer(bitPattern: $0 + 1) })
    }
  }
}
