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
    /// The references that are not read: the role of each and the reason, as in
    /// `lock: a value that cannot be copied`.
    ///
    /// A role without a reason is that of a reference whose layout in memory is not the one that
    /// Fanout knows: in a program built with another version of Swift, or for another platform.
    public var unread: [String] { unreadReferences.map(\.text) }
    let unreadReferences: [UnreadReference]
    /// The loop whose place this object is.
    let loop: Loop?
    /// The role of the object in a report.
    let role: ObjectRole
    /// Whether the object is an inner part of another, so that it is held although no edge shows
    /// it.
    let isPart: Bool

    /// The values that it holds, and the references that are not shown, in words.
    var notes: [String] {
      values.map(\.text) + busy.map { "\($0): being delivered just now" }
        + unreadReferences.map { reference in
          "\(reference.role): not read" + (reference.limit.map { ", \($0.rawValue)" } ?? "")
        }
    }

    /// The name, with the label or the number that distinguishes it from others.
    public var title: String {
      if let label { return "\(name) '\(label)'" }
      return number.map { "\(name) #\($0)" } ?? name
    }
  }

  /// A reference that is not read.
  struct UnreadReference: Hashable, Sendable {
    let role: String
    let reason: UnreadReason

    /// The reason; nil if it is the layout, which a graph names once.
    var limit: ReadingLimit? {
      guard case .limit(let limit) = reason else { return nil }
      return limit
    }

    var text: String { limit.map { "\(role): \($0.rawValue)" } ?? role }
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

extension OwnershipGraph {
  /// A reference that retains.
  public struct Edge: Sendable {
    /// The node that retains.
    public let owner: Node.ID
    /// The node that is retained.
    public let owned: Node.ID
    /// The owned object's role for the owner.
    public let role: String
    /// The stored property, or that of the inner part that contains it.
    public let reference: String
    /// The events of which the first ends the reference; none if it lasts until its owner ends or
    /// changes it.
    public let until: [String]
  }

  /// A ring of objects that keep each other alive.
  public struct Cycle: Sendable {
    /// The objects, each retaining the next, and the last one the first.
    public let nodes: [Node.ID]
    /// The events each of which breaks the cycle; none if only a change of the objects does.
    public let brokenBy: [String]
    /// The reference from the last node to the first.
    let closingEdge: Int

    /// The ways to break the cycle, in words.
    var remedy: String {
      let events = Wording.alternatives(brokenBy)
      return "cycle: broken " + (events.isEmpty ? "only by changing an object" : "by \(events)")
    }
  }
}
