/// Holds a receiver that is no object, for a cursor, which retains objects.
public final class ReceiverBox<Receiver> {
  /// What is held.
  public let receiver: Receiver

  /// Holds a receiver.
  @inlinable
  public init(_ receiver: Receiver) {
    self.receiver = receiver
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension ReceiverBox: Sendable {}

extension ReceiverBox: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("receiver", receiver)] }
}
