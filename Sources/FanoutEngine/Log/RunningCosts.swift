/// The costs of the values that loops fetch, as sums, so that those of any stretch are one difference.
///
/// Only differences of sums mean something: they may run over the range of `Int`, as long as no stretch that waits
/// costs that much (`greatestLimit`).
package struct RunningCosts: Sendable {
  /// The greatest limit for which the sums of all that may wait can be told apart.
  static var greatestLimit: Int { 1 << 40 }

  /// The greatest cost of the values that wait for a loop.
  let limit: Int
  /// The cost that can come before a loop has to be looked at: no more of it waits for any of them.
  ///
  /// What a loop takes makes room for it, so that this only has to be found anew when it is used up.
  package var room = Int.max
  /// The sum of all costs.
  var total = 0
  /// The sums in front of the values, from the place `first` on; the elements before `start` are used no more.
  var sums: [Int] = []
  var start = 0
  var first = 0

  init(limit: Int) { self.limit = limit }

  /// Adds the cost of a value.
  mutating func append(_ cost: Int, at place: Int) {
    if start == sums.count { first = place }
    sums.append(total)
    total &+= cost
    if room < .max { room &-= cost }
  }

  /// Forgets the costs of the values before a place.
  mutating func forget(before place: Int) {
    guard first < place else { return }
    start &+= min(place &- first, sums.count &- start)
    first = place
    // The array is shortened when half of it is empty, so that this is O(1), amortised.
    guard start == sums.count || (start > 64 && start > sums.count / 2) else { return }
    sums.removeSubrange(..<start)
    start = 0
  }

  /// Returns the cost of all values from a place on.
  func cost(from place: Int) -> Int {
    let index = start &+ (place &- first)
    return index < sums.count ? total &- sums[index] : 0
  }

  /// Returns how many values from a place on have to go so that the others stay within the limit.
  func excess(from place: Int) -> Int {
    var next = place
    while cost(from: next) > limit { next &+= 1 }
    return next &- place
  }

  /// Notes what may come before more than the limit waits from a place on.
  mutating func noteRoom(from place: Int) { room = min(room, limit &- cost(from: place)) }
}
