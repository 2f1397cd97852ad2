// Relaxed atomics: invariant: the number orders nothing; it is read when the readers have ended.

import Synchronization

/// A counter of the reads of a file, usable from any thread.
final class ReadCounter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func increment() { value.wrappingAdd(1, ordering: .relaxed) }
}
