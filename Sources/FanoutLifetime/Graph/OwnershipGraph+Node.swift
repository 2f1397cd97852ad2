extension OwnershipGraph {
  /// An object, or a value that is a root or has a label.
  public struct Node: Identifiable, Sendable {
    /// Its place in ``OwnershipGraph/nodes``.
    public let id: Int
    /// Its type, in a reader's words.
    public let name: String
    /// The name that the user gave it.
    public let label: String?
    /// Which of several nodes of the same name it is, from 1; nil if it is the only one.
    public let number: Int?
    /// Which object it is, or was: another object may have taken its place in memory since; nil for
    /// a value.
    public let object: ObjectIdentifier?
    /// Values that it holds and that hold no object.
    public let values: [Values]
    /// What could not be looked at, because another thread was using it.
    public let busy: [String]

    /// The name, with the label or the number that tells it from others.
    public var title: String {
      if let label { return "\(name) '\(label)'" }
      return number.map { "\(name) #\($0)" } ?? name
    }
  }

  /// Values that hold no object, summed up.
  public struct Values: Hashable, Sendable {
    /// What they are to their owner.
    public let role: String
    /// How many there are.
    public let count: Int

    /// The count in words, with the role if they are not simply values.
    var text: String {
      let counted = count == 1 ? "1 value" : "\(Wording.grouped(count)) values"
      if role == "value" { return counted }
      return count == 1 ? role : "\(role): \(counted)"
    }
  }
}
