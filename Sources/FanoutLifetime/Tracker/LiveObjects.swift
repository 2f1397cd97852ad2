/// How many objects of Fanout's are alive, of those that were made while a tracker was current.
public struct LiveObjects: Hashable, Sendable, CustomStringConvertible {
  /// How many of each type, of those that a user can hold: subjects, sinks, cancellables, shared
  /// publishers, and under one name each every kind of subscription and of connection.
  public let byType: [String: Int]
  /// How many of each type, of those that only other objects of Fanout's hold.
  public let parts: [String: Int]

  /// How many a user can hold, together.
  public var total: Int { byType.values.reduce(0, +) }

  /// The types in alphabetical order, each with its number.
  public var description: String {
    guard !byType.isEmpty else { return "none" }
    return byType.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
  }
}
