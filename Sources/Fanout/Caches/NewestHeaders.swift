/// The newest value of each key, with its place.
struct NewestHeaders<Key: Hashable, Value> {
  var headers: [Key: (place: Int, value: Value)] = [:]

  init() {}

  /// Records a header with its key, and returns the one that it replaces.
  mutating func record(_ value: Value, key: Key, at place: Int) -> Value? {
    headers.updateValue((place, value), forKey: key)?.value
  }

  /// The headers from a place on, in the order of their places.
  func contents(from place: Int) -> [(place: Int, value: Value)] {
    headers.values.filter { $0.place >= place }.sorted { $0.place < $1.place }
  }
}
