import MeasureSupport

/// Where every sink of every contender adds what it receives, in one call that is not inlined.
///
/// Each contender adds in a place of its own, also where the call is the larger part of the work, so that no two
/// closures are the same: the compiler merges those, one stays, the others jump to it, and whoever has the one that
/// stays is faster.
enum Counter {
  enum Place: Int64 {
    case fanout, fanoutSequence, fanoutJoin, openCombine, asyncAlgorithms, floor, unretained

    /// The first of those for sinks that several threads may call at once, one for each sink.
    case threads = 16
  }

  @inline(never)
  static func add(_ number: Int, at place: Int64) { raw_counter_add(Int64(number), place) }

  @inline(__always)
  static func add(_ number: Int, _ place: Place) { add(number, at: place.rawValue) }

  static func sum(at place: Int64) -> Int64 { raw_counter_sum(place) }
}

extension Workload.Run {
  /// Sends the numbers below `count`, and stops the program unless each of the places has received
  /// all of them when the body returns.
  init(_ count: Int, at places: [Int64], _ body: @escaping () -> Void) {
    self.init(deliveries: count * places.count) {
      let before = places.map(Counter.sum)
      body()
      let sum = Int64(count * (count - 1) / 2)
      for (place, start) in zip(places, before) {
        let received = Counter.sum(at: place) - start
        precondition(received == sum, "The numbers at \(place) add up to \(received), not \(sum).")
      }
    }
  }

  /// The same with one place.
  init(_ count: Int, _ place: Counter.Place, _ body: @escaping () -> Void) {
    self.init(count, at: [place.rawValue], body)
  }
}

/// What a sink may hold: it says where the sink adds.
final class Holder: Sendable {
  let place: Int64

  init(_ place: Counter.Place) { self.place = place.rawValue }
}
