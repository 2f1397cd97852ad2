internal import FanoutEngine

extension Subscribers.OneByOneSink {
  /// What the sink lets go of as a whole.
  final class Body: ReceiverBody, ReferenceListing {
    /// Handles a value, whose turn it is.
    let handle: (Input, Int, Subscribers.OneByOneSink<Input, Failure>) -> Void
    let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

    init(
      handle: @escaping (Input, Int, Subscribers.OneByOneSink<Input, Failure>) -> Void,
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
    ) {
      self.handle = handle
      self.receiveCompletion = receiveCompletion
      super.init()
    }

    package var heldReferences: [HeldReference] {
      bodyReferences + [
        .closure("handle", handle), .closure("receiveCompletion", receiveCompletion),
      ]
    }
  }

  /// The end, while it waits for the last value's turn to be over.
  struct End {
    let completion: Subscribers.Completion<Failure>
    let receive: @Sendable (Subscribers.Completion<Failure>) -> Void

    func deliver() { receive(completion) }
  }

  /// Whose turn it is and how far that has come, guarded by a lock.
  struct Handling {
    enum Phase {
      /// Nothing was asked for.
      case idle
      /// One value was.
      case asked
      /// A value is being handled; the call that brought it has not returned.
      case inside
      /// The same, and its turn is over: what that call returns asks for the next one.
      case insideAndDone
      /// A value is being handled; the call that brought it has returned.
      case outside
      /// Nothing is to be handled any more.
      case over
    }

    var phase = Phase.idle
    /// Counts the values, so that who has had his turn cannot end another's.
    var turn = 0
    var task: Task<Void, Never>?
    var end: End?

    /// Whether a turn is not over.
    func isOpen(_ turn: Int) -> Bool {
      turn == self.turn && (phase == .inside || phase == .outside)
    }

    /// Begins a turn, if a value was asked for; returns its number.
    mutating func begin() -> Int? {
      guard phase == .asked else { return nil }
      phase = .inside
      turn &+= 1
      return turn
    }

    /// What is to be done when a turn is over; the caller does it outside of the lock.
    enum Next {
      case nothing
      case ask
      case end(End)
    }

    /// Notes that the call that brought a value returns.
    mutating func leave(_ turn: Int) -> Next {
      guard turn == self.turn else { return .nothing }
      switch phase {
      case .inside: phase = .outside
      case .insideAndDone: return goOn()
      case .idle, .asked, .outside, .over: break
      }
      return .nothing
    }

    /// Ends a turn, if it is not over.
    mutating func finish(_ turn: Int) -> Next {
      guard turn == self.turn else { return .nothing }
      switch phase {
      case .inside: phase = .insideAndDone
      case .outside: return goOn()
      case .idle, .asked, .insideAndDone, .over: return .nothing
      }
      task = nil
      return .nothing
    }

    private mutating func goOn() -> Next {
      defer {
        task = nil
        end = nil
      }
      phase = end == nil ? .asked : .over
      return end.map { .end($0) } ?? .ask
    }

    /// Notes the end; returns whether nothing has to be waited for.
    mutating func accept(_ end: End) -> Bool {
      switch phase {
      case .inside, .insideAndDone, .outside:
        self.end = end
        return false
      case .idle, .asked:
        phase = .over
        return true
      case .over: return false
      }
    }
  }
}
