extension Ownership {
  /// What begins or ends an ownership.
  public enum Event: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The owner is made.
    case creation = "its making"
    /// A subscriber attaches, or a subject is given an upstream's subscription.
    case subscribe
    /// More values are asked for.
    case request
    /// A value is accepted.
    case send
    /// What was waiting is delivered.
    case delivery
    /// A newer value or a keyframe takes a value's place, and no subscriber still lacks it.
    case eviction
    /// A connection is opened: by hand, or by the first subscriber.
    case connect
    /// The last claim on a connection is let go: by hand, or because the last subscriber has left.
    case disconnect
    /// A subscription is cancelled.
    case cancel
    /// The terminal: finished or failed.
    case completion
    /// The owner's own end.
    case ownerRelease = "its own end"

    /// The event in words that go into a sentence.
    public var description: String { rawValue }
  }

  /// Whether a reference keeps its object alive.
  public enum Strength: String, Sendable {
    /// It does.
    case retains
    /// It notices the object's end.
    case weak = "refers weakly to"
    /// It does not, and needs somebody else who does.
    case notAtAll = "does not retain"
  }
}
