/// The newest value of each key, with its place.
@frozen @usableFromInline
struct NewestHeaders<Key: Hashable, Value> {
  @usableFromInline var headers: [Key: (place: Int, value: Value)] = [:]

  @inlinable
  init() {}

  /// Records a header with its key, and returns the one that it replaces.
  @inlinable
  mutating func record(_ value: Value, key: Key, at place: Int) -> Value? {
    headers.updateValue((place, value), forKey: key)?.value
  }

  /// The headers from a place on, in the order of their places.
  @inlinable
  func contents(from place: Int) -> [(place: Int, value: Value)] {
    headers.values.filter { $0.place >= place }.sorted { $0.place < $1.place }
  }
}

@available(*, unavailable)
extension NewestHeaders: Sendable {}
