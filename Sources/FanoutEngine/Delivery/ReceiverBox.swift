/// A box for a receiver that is not an object, because a cursor retains objects.
public final class ReceiverBox<Receiver> {
  /// The receiver in the box.
  public let receiver: Receiver

  /// Creates a box.
  @inlinable
  public init(_ receiver: Receiver) {
    self.receiver = receiver
    noteCreation(of: self, isPart: true)
  }
}

@available(*, unavailable)
extension ReceiverBox: Sendable {}
