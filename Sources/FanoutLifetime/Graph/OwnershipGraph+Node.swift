extension OwnershipGraph {
  /// An object, or a value that is a root or has a label.
  public struct Node: Identifiable, Sendable {
    /// The node's index in ``OwnershipGraph/nodes``.
    public let id: Int
    /// The type, in words for a reader.
    public let name: String
    /// The name that the user gave it.
    public let label: String?
    /// The number among several nodes of the same name, from 1; nil if the node is the only one.
    public let number: Int?
    /// The identity of the object; nil for a value.
    ///
    /// Another object may have taken its place in memory since.
    public let object: ObjectIdentifier?
    /// The values that it holds and that hold no object themselves.
    public let values: [Values]
    /// The roles of the references that could not be read, because another thread was using them.
    public let busy: [String]
    /// The loop whose place this object is.
    let loop: Loop?
    /// Whether the object is an inner part of another, so that it is held although no edge shows
    /// it.
    let isPart: Bool

    /// The name, with the label or the number that distinguishes it from others.
    public var title: String {
      if let label { return "\(name) '\(label)'" }
      return number.map { "\(name) #\($0)" } ?? name
    }
  }

  /// A loop over values.
  struct Loop: Sendable {
    /// The call that the loop iterates over.
    let call: String
    /// The number of tasks that wait in the loop for the next value.
    let waitingTasks: Int
    /// Whether the loop has released its publisher.
    let isOver: Bool
  }

  /// Values that hold no object, summed up.
  public struct Values: Hashable, Sendable {
    /// The role of the values for their owner.
    public let role: String
    /// The number of values.
    public let count: Int

    /// The count in words, with the role if they are not simply values.
    var text: String {
      let counted = count == 1 ? "1 value" : "\(Wording.grouped(count)) values"
      if role == "value" { return counted }
      return count == 1 ? role : "\(role): \(counted)"
    }
  }
}
