// `@unchecked Sendable` invariant of each: a check uses a cache on one thread.

import Fanout
import FanoutContract

/// A cache that removes a value whenever it is read.
final class SpendingCache: ReplayCache, @unchecked Sendable {
  private var values: [Int] = []

  func record(_ value: Int) { values.append(value) }

  var contents: [Int] {
    defer { if values.count > 1 { values.removeFirst() } }
    return values
  }
}

/// A cache that shares its values with all others.
struct SharingCache: ReplayCache {
  final class Place: @unchecked Sendable { var values: [Int] = [] }

  let place: Place
  var contents: [Int] { place.values }

  func record(_ value: Int) { place.values.append(value) }
}

/// A cache of which every other one retains nothing.
struct MoodyCache: ReplayCache {
  let isInTheMood: Bool
  var contents: [Int] = []

  mutating func record(_ value: Int) { if isInTheMood { contents.append(value) } }
}

/// A cache that retains itself.
final class ImmortalCache: ReplayCache, @unchecked Sendable {
  private var itself: ImmortalCache?
  var contents: [Int] = []

  init() { itself = self }

  func record(_ value: Int) { contents.append(value) }
}

/// A cache that retains the values it has evicted, beyond its own lifetime.
struct HoardingCache: ReplayCache {
  final class Cellar: @unchecked Sendable { var values: [Numbered] = [] }

  let cellar: Cellar
  var contents: [Numbered] = []

  mutating func record(_ value: Numbered) {
    cellar.values.append(value)
    contents = [value]
  }
}

/// A cache that loses values when it is read, but only once it has many, so that only a long
/// program shows it.
final class LateSpendingCache: ReplayCache, @unchecked Sendable {
  private var values: [Int] = []
  private var readings = 0

  func record(_ value: Int) { values.append(value) }

  var contents: [Int] {
    readings += 1
    return readings > 2 ? [] : values
  }
}
