extension OwnershipGraph {
  /// A reference that retains.
  public struct Edge: Sendable {
    /// Who retains.
    public let owner: Node.ID
    /// Who is retained.
    public let owned: Node.ID
    /// What the owned object is to the owner.
    public let role: String
    /// The stored property; of the inner part that has it, if it is one of those.
    public let reference: String
    /// The events of which the first ends it; none if it lasts until its owner ends or changes it.
    public let until: [String]
  }

  /// A ring of objects that keep each other alive.
  public struct Cycle: Sendable {
    /// The objects, each retaining the next, and the last one the first.
    public let nodes: [Node.ID]
    /// The events of which each breaks it; none if only a change of the objects does.
    public let brokenBy: [String]
    /// The reference from the last node to the first.
    let closingEdge: Int

    /// What breaks it, in words.
    var remedy: String {
      let events = Wording.alternatives(brokenBy)
      return "cycle: broken " + (events.isEmpty ? "only by changing an object" : "by \(events)")
    }
  }
}
