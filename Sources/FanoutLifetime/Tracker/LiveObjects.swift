/// The numbers of live objects that Fanout made while a tracker was current.
public struct LiveObjects: Hashable, Sendable, CustomStringConvertible {
  /// The number of objects of each type that a user can hold: subjects, sinks, cancellables, shared
  /// publishers, and under one name each every kind of subscription and of connection.
  public let byType: [String: Int]
  /// The number of objects of each type that only other objects of Fanout's hold.
  public let parts: [String: Int]

  /// The number of objects that a user can hold, of all types together.
  public var total: Int { byType.values.reduce(0, +) }

  /// The types in alphabetical order, each with its number.
  public var description: String {
    guard !byType.isEmpty else { return "none" }
    return byType.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      .joined(separator: ", ")
  }
}
