import MeasureSupport

/// An amount of memory, and what it is compared with.
package struct MemoryMeasure: Sendable {
  package let name: String
  package let title: String
  package let unit: String
  package let fanout: @Sendable () -> Double
  package var peer: (@Sendable () -> Double)?
  package var library = Library.openCombine

  /// What cannot be avoided, for example the stride of a value.
  package var floor: Double?

  /// At most so much.
  package var limit: Double?
  package var floorLimit: Double?

  /// At most that many times what the peer takes.
  package var peerLimit: Double?
}

/// What the allocator says.
package enum Allocator {
  package static var isCounted: Bool { allocation_count_is_available() }

  /// The bytes that are in use now, in the whole process.
  package static var bytes: Int { Int(allocation_count_allocated_bytes()) }

  /// How often the calling thread has allocated so far.
  package static var allocations: Int { Int(allocation_count_of_this_thread()) }

  /// The bytes that each of `count` things takes; the array that keeps them is not counted.
  static func bytes<Thing>(each count: Int, _ make: (Int) -> Thing) -> Double {
    var kept: [Thing] = []
    kept.reserveCapacity(count)
    let before = bytes
    for index in 0..<count { kept.append(make(index)) }
    let after = bytes
    return withExtendedLifetime(kept) { Double(after - before) / Double(count) }
  }
}
