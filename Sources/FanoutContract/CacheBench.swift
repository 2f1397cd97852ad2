internal import Fanout
internal import FanoutTestSupport

/// A check of a user's cache by itself: its contents after values recorded one after another.
struct CacheBench<Cache: ReplayCache>: Sendable {
  let value: @Sendable (Int) -> Cache.Value
  let number: @Sendable (Cache.Value) -> Int
  let makeCache: @Sendable () -> Cache

  /// Returns the contents of a fresh cache after it has recorded numbers.
  func contents(after numbers: [Int]) -> [Int] {
    var cache = makeCache()
    for number in numbers { cache.record(value(number)) }
    return cache.contents.map(number)
  }

  /// Throws a violation if the cache is unreliable even by itself.
  func check(seed: UInt64) throws(DeliveryContract.Violation) {
    let fresh = contents(after: [])
    var generator = SeededChance(seed: seed)
    for _ in 0..<20 {
      let count = Int.random(in: 1...12, using: &generator)
      let numbers = (0..<count).map { _ in Int.random(in: 1...20, using: &generator) }
      var cache = makeCache()
      for number in numbers { cache.record(value(number)) }
      let (once, twice) = (cache.contents.map(number), cache.contents.map(number))
      guard once == twice else {
        throw violation(
          "reading `contents` changes them", rules: "D6",
          "After \(numbers) they are \(once), and \(twice) when they are read again.")
      }
      let next = contents(after: [])
      guard next == fresh else {
        throw violation(
          "a fresh cache has something of an older one", rules: "L2",
          "The first one had \(fresh). One that was made after another had recorded \(numbers) "
            + "has \(next).")
      }
      // Two others, because caches with common state may take turns.
      for other in [contents(after: numbers), contents(after: numbers)] where other != once {
        throw violation(
          "two caches that were given the same values differ", rules: "L2",
          "After \(numbers) one has \(once), another \(other).")
      }
    }
  }

  private func violation(
    _ summary: String, rules: String, _ details: String
  ) -> DeliveryContract.Violation {
    DeliveryContract.Violation(
      summary: summary, rules: rules, seed: nil, program: nil, details: details, test: "")
  }
}
