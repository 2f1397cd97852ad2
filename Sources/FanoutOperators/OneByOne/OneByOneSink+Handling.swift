package import FanoutCore
package import FanoutEngine

extension Subscribers.OneByOneSink {
  /// The part of the sink that is released as a whole.
  package final class Body: ReceiverBody {
    /// The closure that handles a value, given its turn's number and the sink.
    package let handle: (Input, Int, Subscribers.OneByOneSink<Input, Failure>) -> Void
    package let receiveCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

    init(
      handle: @escaping (Input, Int, Subscribers.OneByOneSink<Input, Failure>) -> Void,
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void
    ) {
      self.handle = handle
      self.receiveCompletion = receiveCompletion
      super.init()
    }
  }

  /// The completion while it waits for the last value's turn to end.
  package struct End {
    let completion: Subscribers.Completion<Failure>
    package let receive: @Sendable (Subscribers.Completion<Failure>) -> Void

    func deliver() { receive(completion) }
  }

  /// The current turn and its progress, guarded by a lock.
  package struct Handling {
    enum Phase {
      /// No value has been requested.
      case idle
      /// One value has been requested.
      case asked
      /// A value is being handled; the call that brought it has not returned.
      case inside
      /// The turn has ended, but the call that brought the value has not returned: its result
      /// requests the next one.
      case insideAndDone
      /// A value is being handled; the call that brought it has returned.
      case outside
      /// No value will be handled any more.
      case over
    }

    /// Whether a turn ends only when the task of its handler returns.
    let endsWithTask: Bool
    var phase = Phase.idle
    /// The number of the current value, so that the end of one turn cannot end another.
    var turn = 0
    var task: Task<Void, Never>?
    package var end: End?

    init(endsWithTask: Bool) { self.endsWithTask = endsWithTask }

    /// Returns whether a turn has not ended yet.
    func isOpen(_ turn: Int) -> Bool {
      turn == self.turn && (phase == .inside || phase == .outside)
    }

    /// Begins a turn if a value was requested; returns its number.
    mutating func begin() -> Int? {
      guard phase == .asked else { return nil }
      phase = .inside
      turn &+= 1
      return turn
    }

    /// Keeps the task of a turn, to be cancelled with the sink; returns false if the caller has to
    /// cancel it now.
    ///
    /// A task that has ended its turn already is not kept.
    mutating func keep(_ task: Task<Void, Never>, for turn: Int) -> Bool {
      if isOpen(turn) { self.task = task }
      return phase != .over
    }

    /// The action that follows from an event; the caller carries it out outside the lock.
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

    /// Ends a turn, unless it has ended.
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

    /// Ends the current turn, for a caller that does not know its number.
    ///
    /// A task ends its own turn: otherwise a second handler would run beside it.
    mutating func resume() -> Next { endsWithTask ? .nothing : finish(turn) }

    /// Ends everything; returns the old state, which the caller releases outside the lock.
    mutating func cancel() -> Handling {
      let old = self
      self = Handling(endsWithTask: endsWithTask)
      phase = .over
      turn = old.turn
      return old
    }

    private mutating func goOn() -> Next {
      defer {
        task = nil
        end = nil
      }
      phase = end == nil ? .asked : .over
      return end.map { .end($0) } ?? .ask
    }

    /// Notes the completion; returns whether it can be delivered immediately.
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
