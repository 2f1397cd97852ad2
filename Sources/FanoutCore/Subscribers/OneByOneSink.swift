// `@unchecked Sendable` invariant: all state is in `stage` and `handling`, which are safe to use from any
// thread.

public import FanoutEngine

extension Subscribers {
  /// A subscriber that handles one value at a time, and asks for the next when it is told to.
  ///
  /// A value has its turn until the next one is asked for: by a closure that comes with the value, or,
  /// where the handler is asynchronous, by its return.
  ///
  /// - Demand: one value, and one more with each turn that ends. A value that comes unasked is ignored,
  ///   so that two are never handled at once. Behind a publisher that does not wait, such as a subject,
  ///   `buffer` keeps what comes meanwhile.
  /// - Completion, failure: let go of the subscription at once; the closure is called when the last
  ///   value's turn is over.
  /// - Cancel: as for ``Subscribers/Sink``: the closures and the subscription are let go at once: before
  ///   `cancel()` returns if nothing is being delivered, otherwise by the delivering thread before it
  ///   takes the next value. The task of an asynchronous handler is cancelled; it keeps the handler and
  ///   its value until that has returned.
  /// - Concurrency: values come on the thread that delivers, which may be the one that ends a turn; an
  ///   asynchronous handler runs in a task of its own for each value. `cancel()` may be called from any
  ///   thread, also by a handler.
  /// - Ownership: retains its subscription, its closures and what they capture.
  public final class OneByOneSink<Input, Failure: Error>: Link, Subscriber, Cancellable,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
    @unchecked Sendable
  {
    private let stage: ReceiverStage<Body>
    private let handling = Lock(Handling())

    /// Makes a sink that asks for the next value when it is told to.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once, at the completion, when the last value's turn is over.
    ///   - receiveValue: Called with each value, one at a time, and with a closure that ends its turn.
    ///     That may be called from any thread, inside `receiveValue` or later; the second time it does
    ///     nothing, and neither after a cancel.
    @preconcurrency
    public init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue:
        @escaping @Sendable (
          _ value: Input, _ resume: @escaping @Sendable () -> Void
        ) -> Void
    ) {
      stage = ReceiverStage(
        Body { value, turn, sink in
          receiveValue(value) { sink.endTurn(turn) }
        } receiveCompletion: {
          receiveCompletion($0)
        })
      super.init()
    }

    /// Makes a sink that has each value handled in a task, and asks for the next when that has returned.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once, at the completion, when no value is being handled any more.
    ///   - receiveValue: Called with each value, one at a time, in a task that is cancelled with the
    ///     sink.
    @preconcurrency
    public init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping @Sendable (_ value: Input) async -> Void
    ) where Input: Sendable {
      stage = ReceiverStage(
        Body { value, turn, sink in
          sink.startTask(for: turn) { await receiveValue(value) }
        } receiveCompletion: {
          receiveCompletion($0)
        })
      super.init()
    }

    /// Asks for one value; cancels a second subscription, and any that comes after `cancel()`.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      handling.withLock { if $0.phase == .idle { $0.phase = .asked } }
      subscription.request(.max(1))
    }

    /// Has a value handled, if it was asked for.
    ///
    /// - Returns: One, if its turn is over already, so that the next one needs no request inside this
    ///   call.
    public func receive(_ value: Input) -> Subscribers.Demand {
      guard let turn = handling.withLock({ $0.begin() }) else { return .none }
      _ = stage.withBody { $0.handle(value, turn, self) }
      switch handling.withLock({ $0.leave(turn) }) {
      case .nothing: return .none
      case .ask: return .max(1)
      case .end(let end):
        end.deliver()
        return .none
      }
    }

    /// Lets go of the subscription, and hands the completion to the closure when no turn is left.
    public func receive(completion: Subscribers.Completion<Failure>) {
      guard let receive = stage.finish(for: self, taking: { $0.receiveCompletion }) else { return }
      let end = End(completion: completion, receive: receive)
      if handling.withLock({ $0.accept(end) }) { end.deliver() }
    }

    /// Ends the turn of the value that is being handled, for who has the sink and not the closure that
    /// came with the value.
    ///
    /// It may be called from any thread. Where no value is being handled it does nothing.
    public func resume() { endTurn(handling.withLock { $0.turn }) }

    /// Stops for good and lets go of everything.
    public override func cancel() {
      let old = handling.withLock { handling in
        let old = handling
        handling = Handling(phase: .over, turn: old.turn)
        return old
      }
      stage.cancel(for: self)
      old.task?.cancel()
    }

    /// The name of the type.
    public var description: String { "OneByOneSink" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }

    /// The name of the type.
    public var playgroundDescription: Any { description }
  }
}

extension Subscribers.OneByOneSink {
  private func endTurn(_ turn: Int) {
    switch handling.withLock({ $0.finish(turn) }) {
    case .nothing: break
    case .ask: stage.request(Credit(rawValue: 1))
    case .end(let end): end.deliver()
    }
  }

  private func startTask(for turn: Int, _ work: @escaping @Sendable () async -> Void) {
    let task = FanoutCore.startTask {
      if self.isOpen(turn) { await work() }
      self.endTurn(turn)
    }
    // The task may have ended already, and a cancel that came meanwhile has found none.
    let isOpen = handling.withLock { handling in
      if handling.isOpen(turn) { handling.task = task }
      return handling.isOpen(turn)
    }
    if !isOpen { task.cancel() }
  }

  private func isOpen(_ turn: Int) -> Bool { handling.withLock { $0.isOpen(turn) } }
}

extension Subscribers.OneByOneSink: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let end = handling.withLock { $0.end }
    return stage.heldReferences + (end.map { [.closure("handling.end", $0.receive)] } ?? [])
  }
}
