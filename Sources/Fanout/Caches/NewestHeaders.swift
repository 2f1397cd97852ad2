/// The newest value of each key, with its place.
@frozen @usableFromInline
struct NewestHeaders<Key: Hashable, Value> {
  @usableFromInline let key: (Value) -> Key?
  @usableFromInline var headers: [Key: (place: Int, value: Value)] = [:]

  @inlinable
  init(key: @escaping (Value) -> Key?) { self.key = key }

  /// Records a value if it is a header, and returns whether it is.
  @inlinable
  mutating func record(_ value: Value, at place: Int) -> Bool {
    guard let key = key(value) else { return false }
    headers[key] = (place, value)
    return true
  }

  /// The headers from a place on, in the order of their places.
  @inlinable
  func contents(from place: Int) -> [(place: Int, value: Value)] {
    headers.values.filter { $0.place >= place }.sorted { $0.place < $1.place }
  }
}

@available(*, unavailable)
extension NewestHeaders: Sendable {}
