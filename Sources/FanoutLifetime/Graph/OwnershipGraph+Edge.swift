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
