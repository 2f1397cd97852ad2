extension Ownership {
  /// An event that begins or ends an ownership.
  public enum Event: String, CaseIterable, Sendable, CustomStringConvertible {
    /// The creation of the owner.
    case creation = "its making"
    /// The attachment of a subscriber, or of an upstream's subscription to a subject.
    case subscribe
    /// A request for more values.
    case request
    /// The acceptance of a value.
    case send
    /// The delivery of a waiting value.
    case delivery
    /// The replacement of a value by a newer one or a keyframe, once no subscriber still needs it.
    case eviction
    /// The opening of a connection: by hand, or by the first subscriber.
    case connect
    /// The release of the last claim on a connection: by hand, or because the last subscriber has
    /// left.
    case disconnect
    /// The cancel of a subscription.
    case cancel
    /// The terminal: finished or failed.
    case completion
    /// The owner's own deinitialization.
    case ownerRelease = "its own end"

    /// The event in words that fit into a sentence.
    public var description: String { rawValue }

    /// The event in one word.
    package var name: String { self == .creation ? "creation" : rawValue }
  }

  /// The effect of a reference on the lifetime of its object.
  public enum Strength: String, Sendable {
    /// The reference keeps the object alive.
    case retains
    /// The reference notices the object's end, and does not keep it alive.
    case weak = "refers weakly to"
    /// Not retained; another owner must keep it alive.
    case notAtAll = "does not retain"
  }
}
