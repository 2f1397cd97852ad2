/// A cache of the newest value of each key.
///
/// `newest` holds the places of the values that count, and `values` everything since the oldest of
/// them. What has been replaced is dropped when it is half of that, so that recording is O(1),
/// amortised.
struct LatestByKey<Key: Hashable, Value> {
  /// The place of the newest value of each key.
  var newest: [Key: Int] = [:]
  /// The values in the order of their arrival; nil where a newer one has taken its place.
  var values: [Value?] = []

  init() {}

  /// Records a value with its key, and returns the one that it replaces.
  mutating func record(_ value: Value, key: Key) -> Value? {
    var replaced: Value?
    if let place = newest.updateValue(values.count, forKey: key) { swap(&values[place], &replaced) }
    values.append(value)
    if values.count > 16, values.count > 2 * newest.count { removeReplaced() }
    return replaced
  }

  var contents: [Value] { values.compactMap { $0 } }

  mutating func removeReplaced() {
    var place = 0
    let places = values.map { value -> Int in
      defer { if value != nil { place += 1 } }
      return place
    }
    newest = newest.mapValues { places[$0] }
    values.removeAll { $0 == nil }
  }
}
