// `@unchecked Sendable` invariant: all state is in `stage` and `handling`, which are safe to use
// from any thread.

public import FanoutCore
public import FanoutEngine

extension Subscribers {
  /// A subscriber that handles one value at a time, and requests the next one when the handler asks
  /// for it.
  ///
  /// A value has its turn until the next one is requested: by a closure that comes with the value,
  /// or by ``resume()``. The turn of an asynchronous handler ends when it returns, and in no other
  /// way.
  ///
  /// - Demand: one value, and one more with each turn that ends. An unrequested value is ignored,
  ///   so that two are never handled at once. Behind a publisher that does not wait, such as a
  ///   subject, `buffer` keeps the values that arrive meanwhile.
  /// - Completion, failure: releases the subscription at once; the closure is called when the last
  ///   value's turn has ended.
  /// - Cancel: as for ``Subscribers/Sink``. The closures and the subscription are released at once.
  ///   If a delivery is running, its thread releases them before it takes the next value; otherwise
  ///   they are released before `cancel()` returns. The task of an asynchronous handler is
  ///   cancelled; it keeps the handler and its value until the handler has returned.
  /// - Concurrency: values arrive on the delivering thread, which may be the one that ends a turn.
  ///   An asynchronous handler runs in a task of its own for each value. `cancel()` may be called
  ///   from any thread, also by a handler.
  /// - Ownership: retains its subscription, its closures and what they capture.
  public final class OneByOneSink<Input, Failure: Error>: ChainNode, Subscriber, Cancellable,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
    @unchecked Sendable
  {
    package let stage: ReceiverStage<Body>
    package let handling: Lock<Handling>

    /// Creates a sink that requests the next value when its closure asks for it.
    ///
    /// - Parameters:
    ///   - receiveCompletion: The closure that is called once, at the completion, when the last
    ///     value's turn has ended.
    ///   - receiveValue: The closure that is called with each value, one at a time, and with a
    ///     closure that ends the value's turn. That closure may be called from any thread, inside
    ///     `receiveValue` or later. A second call does nothing, and neither does a call after a
    ///     cancel.
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
      handling = Lock(Handling(endsWithTask: false))
      super.init()
    }

    /// Creates a sink that handles each value in a task, and requests the next one when the handler
    /// has returned.
    ///
    /// - Parameters:
    ///   - receiveCompletion: The closure that is called once, at the completion, when no value is
    ///     being handled any more.
    ///   - receiveValue: The closure that is called with each value, one at a time, in a task that
    ///     is cancelled with the sink.
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
      handling = Lock(Handling(endsWithTask: true))
      super.init()
    }

    /// Requests one value; cancels a second subscription, and any that arrives after `cancel()`.
    ///
    /// - Parameter subscription: The link to the publisher.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      handling.withLock { if $0.phase == .idle { $0.phase = .asked } }
      subscription.request(.max(1))
    }

    /// Starts the turn of a value, if it was requested.
    ///
    /// - Parameter value: The value to handle.
    /// - Returns: A demand for one value if the turn has ended already, so that the next value
    ///   needs no request inside this call; otherwise none.
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

    /// Releases the subscription, and passes the completion to the closure when no turn is left.
    ///
    /// - Parameter completion: Whether the publisher finished or failed.
    public func receive(completion: Subscribers.Completion<Failure>) {
      guard let receive = stage.finish(for: self, taking: { $0.receiveCompletion }) else { return }
      let end = End(completion: completion, receive: receive)
      if handling.withLock({ $0.accept(end) }) { end.deliver() }
    }

    /// Ends the turn of the current value, for a caller that has the sink but not the closure that
    /// came with the value.
    ///
    /// It may be called from any thread. It does nothing while no value is being handled. With an
    /// asynchronous handler it never does anything: the turn ends when the handler returns, because
    /// otherwise two values would be handled at once.
    public func resume() { perform(handling.withLock { $0.resume() }) }

    /// Cancels the subscription and the handler's task, and releases everything.
    public override func cancel() {
      let old = handling.withLock { $0.cancel() }
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
  private func endTurn(_ turn: Int) { perform(handling.withLock { $0.finish(turn) }) }

  private func perform(_ next: Handling.Next) {
    switch next {
    case .nothing: break
    case .ask: stage.request(Credit(rawValue: 1))
    case .end(let end): end.deliver()
    }
  }

  private func startTask(for turn: Int, _ work: @escaping @Sendable () async -> Void) {
    let task = FanoutEngine.startTask {
      if self.isOpen(turn) { await work() }
      self.endTurn(turn)
    }
    // The task may have ended already, and a cancel that came meanwhile has found no task.
    if !handling.withLock({ $0.keep(task, for: turn) }) { task.cancel() }
  }

  private func isOpen(_ turn: Int) -> Bool { handling.withLock { $0.isOpen(turn) } }
}
