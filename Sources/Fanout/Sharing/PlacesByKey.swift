/// The places of the values that wait for a subscriber, by their keys.
struct PlacesByKey<Key: Hashable, Value> {
  let key: (Value) -> Key
  var places: [Key: Int] = [:]

  init(key: @escaping (Value) -> Key) { self.key = key }

  /// Returns the place of the value with the key of an element if it is `first` or later, or else
  /// records `place`.
  mutating func find(_ element: Value, at place: Int, from first: Int) -> Int {
    let key = key(element)
    if let known = places[key], known >= first { return known }
    places[key] = place
    // Keys of values that were taken are dropped when they are more than half, so that this is
    // O(1), amortised.
    if places.count > 16, places.count > 2 * (place - first + 1) {
      places = places.filter { $0.value >= first }
    }
    return place
  }
}
