internal import FanoutEngine
internal import Synchronization

extension Subscribers.OneByOneSink {
  /// What the sink lets go of as a whole.
  final class Body: ReceiverBody, ReferenceListing {
    let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void
    let handle: (Input, Turn) -> Void

    init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      handle: @escaping (Input, Turn) -> Void
    ) {
      self.receiveCompletion = receiveCompletion
      self.handle = handle
      super.init()
    }

    package var heldReferences: [HeldReference] {
      bodyReferences + [
        .closure("handle", handle), .closure("receiveCompletion", receiveCompletion),
      ]
    }
  }

  /// What is known of the task that handles a value, guarded by a lock.
  struct Handling {
    /// The end that waits for the task.
    struct End {
      let completion: Subscribers.Completion<Failure>
      let whenCompleted: @Sendable (Subscribers.Completion<Failure>) -> Void
    }

    var isWorking = false
    var isCancelled = false
    var task: Task<Void, Never>?
    var end: End?
  }

  /// The turn of one value, which ends once: by then the next value is asked for.
  final class Turn: Sendable, ReferenceListing {
    private static var isInside: Int { 0 }
    private static var hasLeft: Int { 1 }
    private static var isOver: Int { 2 }

    let sink: Subscribers.OneByOneSink<Input, Failure>
    private let phase = AtomicValue<Int>(0)

    init(of sink: Subscribers.OneByOneSink<Input, Failure>) {
      self.sink = sink
      noteCreation(of: self, isPart: true)
    }

    /// Ends it.
    func resume() {
      let before = phase.exchange(Self.isOver, ordering: .acquiringAndReleasing)
      // Inside the call that brought the value, what that returns asks for the next.
      if before == Self.hasLeft { sink.askForNext() }
    }

    /// Notes that the call that brought the value returns; returns whether the turn has ended already.
    func leave() -> Bool {
      !phase.compareExchange(
        expected: Self.isInside, desired: Self.hasLeft, ordering: .acquiringAndReleasing
      ).exchanged
    }

    package var heldReferences: [HeldReference] { [.value("sink", sink)] }
  }
}
