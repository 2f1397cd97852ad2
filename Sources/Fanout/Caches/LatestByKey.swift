/// A cache of the newest value of each key.
///
/// `newest` holds the places of the values that count, and `values` everything since the oldest of them. What has been
/// replaced is dropped when it is half of that, so that recording is O(1), amortised.
@frozen @usableFromInline
struct LatestByKey<Key: Hashable, Value>: ReplayCache {
  @usableFromInline let key: (Value) -> Key
  /// The place of the newest value of each key.
  @usableFromInline var newest: [Key: Int] = [:]
  /// The values in the order of their arrival; nil where a newer one has taken its place.
  @usableFromInline var values: [Value?] = []

  @inlinable
  init(key: @escaping (Value) -> Key) { self.key = key }

  @inlinable
  mutating func record(_ value: Value) {
    if let replaced = newest.updateValue(values.count, forKey: key(value)) {
      values[replaced] = nil
    }
    values.append(value)
    if values.count > 16, values.count > 2 * newest.count { removeReplaced() }
  }

  @inlinable var contents: [Value] { values.compactMap { $0 } }

  @inlinable
  mutating func removeReplaced() {
    values = contents.map { $0 }
    for (place, value) in values.enumerated() {
      if let value { newest[key(value)] = place }
    }
  }
}

@available(*, unavailable)
extension LatestByKey: Sendable {}
