// Unsafe pointer: invariant: `read(at:)` is called with the address of a living value of the type
// it is called on, and keeps only a copy of it.

/// A name that a user gave to a publisher; an object, so that copies of the publisher are
/// recognised as the same.
@usableFromInline
final class PublisherLabel: Sendable {
  let name: String

  @usableFromInline
  init(_ name: String) { self.name = name }
}

/// A publisher that is a value and carries a label.
protocol LabeledPublisher {
  /// Reads such a publisher at its address.
  static func read(at address: UnsafeRawPointer) -> (PublisherLabel, Any)
}

/// A subscription to a publisher with a label.
protocol PublisherLabeling: AnyObject {
  var mark: PublisherLabel { get }
  /// The object that the label names: the subject or shared publisher above, or the subscription to
  /// a publisher that is a value.
  var labeledObject: AnyObject? { get }
}
