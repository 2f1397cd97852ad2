public import FanoutEngine

extension Subscribers.Sink {
  /// The part of a sink that is released as a whole.
  @usableFromInline
  package class Body: ReceiverBody {
    @usableFromInline package let receiveValue: @Sendable (Input) -> Void

    @inlinable
    init(receiveValue: @escaping @Sendable (Input) -> Void) {
      self.receiveValue = receiveValue
      super.init()
    }

    @usableFromInline
    package var whenCompleted: @Sendable (Subscribers.Completion<Failure>) -> Void { { _ in } }
  }

  /// The body of a sink with a closure for the completion.
  @usableFromInline
  package final class CompletingBody: Body {
    @usableFromInline package let receiveCompletion:
      @Sendable (Subscribers.Completion<Failure>) -> Void

    @inlinable
    init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (Input) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      super.init(receiveValue: receiveValue)
    }

    @usableFromInline
    package override var whenCompleted: @Sendable (Subscribers.Completion<Failure>) -> Void {
      receiveCompletion
    }
  }
}
