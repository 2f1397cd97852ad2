public import FanoutEngine

extension Subscribers.Sink {
  /// What a sink lets go of as a whole.
  @usableFromInline
  class Body: ReceiverBody, ReferenceListing {
    @usableFromInline let receiveValue: @Sendable (Input) -> Void

    @inlinable
    init(receiveValue: @escaping @Sendable (Input) -> Void) {
      self.receiveValue = receiveValue
      super.init()
    }

    @usableFromInline
    var whenCompleted: @Sendable (Subscribers.Completion<Failure>) -> Void { { _ in } }

    package var heldReferences: [HeldReference] {
      bodyReferences + [.closure("receiveValue", receiveValue)]
    }
  }

  /// The body of a sink that does something at the completion.
  @usableFromInline
  final class CompletingBody: Body {
    @usableFromInline let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

    @inlinable
    init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      super.init(receiveValue: receiveValue)
    }

    @usableFromInline
    override var whenCompleted: @Sendable (Subscribers.Completion<Failure>) -> Void {
      receiveCompletion
    }

    package override var heldReferences: [HeldReference] {
      super.heldReferences + [.closure("receiveCompletion", receiveCompletion)]
    }
  }
}
