import MeasureSupport

/// Where every sink of every contender adds what it receives, in one call that is not inlined.
enum Counter {
  @inline(never)
  static func add(_ number: Int) { raw_counter_add(Int64(number), 0) }

  /// For sinks that may be called by several threads at once: each adds in a place of its own.
  @inline(never)
  static func add(_ number: Int, at index: Int) { raw_counter_add(Int64(number), Int64(index)) }
}
