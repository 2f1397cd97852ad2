// `@unchecked Sendable` invariant: all state is in `stage`, `isAsked` and `handling`, which are safe to
// use from any thread.

public import FanoutEngine
internal import Synchronization

extension Subscribers {
  /// A subscriber that handles one value at a time, and asks for the next when it is told to.
  ///
  /// Each value comes with a closure that asks for the next one. Or the handler is asynchronous: then
  /// the next value is asked for when it returns.
  ///
  /// - Demand: one value, and one more each time. A value that comes unasked is ignored, so that two are
  ///   never handled at once. Behind a publisher that does not wait, such as a subject, `buffer` keeps
  ///   what comes meanwhile.
  /// - Completion: needs no demand; so with a closure that asks it may come while the last value is being
  ///   handled. With an asynchronous handler it comes when that has returned.
  /// - Cancel: as for ``Subscribers/Sink``: the closures and the subscription are let go at once: before
  ///   `cancel()` returns if nothing is being delivered, otherwise by the delivering thread before it
  ///   takes the next value. The task of an asynchronous handler is cancelled, and keeps the handler
  ///   and its value until that has returned.
  /// - Concurrency: values come on the thread that delivers, which may be one that asks for the next
  ///   value; an asynchronous handler runs in a task of its own for each value. `cancel()` may be
  ///   called from any thread, also by a handler.
  /// - Ownership: retains its subscription, its closures and what they capture.
  public final class OneByOneSink<Input, Failure: Error>: Link, Subscriber, Cancellable,
    CustomStringConvertible, CustomReflectable, CustomPlaygroundDisplayConvertible,
    @unchecked Sendable
  {
    private let stage: ReceiverStage<Body>
    /// Whether a value was asked for that has not come.
    private let isAsked = AtomicValue<Bool>(false)
    private let handling = Lock(Handling())

    /// Makes a sink that asks for the next value when it is told to.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once, at the completion.
    ///   - receiveValue: Called with each value, one at a time, and with a closure that asks for the
    ///     next one. That may be called from any thread, inside `receiveValue` or later; the second
    ///     time it does nothing, and neither after a cancel or the end.
    @preconcurrency
    public init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      receiveValue:
        @escaping @Sendable (
          _ value: Input, _ resume: @escaping @Sendable () -> Void
        ) -> Void
    ) {
      stage = ReceiverStage(
        Body(receiveCompletion: receiveCompletion) { value, turn in
          receiveValue(value) { turn.resume() }
        })
      super.init()
    }

    fileprivate init(
      receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
      handle: @escaping (Input, Turn) -> Void
    ) {
      stage = ReceiverStage(Body(receiveCompletion: receiveCompletion, handle: handle))
      super.init()
    }

    /// Asks for one value; cancels a second subscription, and any that comes after `cancel()`.
    public func receive(subscription: any Subscription) {
      guard stage.attach(deliverySource(of: subscription), for: self) else { return }
      isAsked.store(true, ordering: .releasing)
      subscription.request(.max(1))
    }

    /// Has a value handled, if it was asked for.
    ///
    /// - Returns: One, if the next one was asked for meanwhile, so that this needs no request inside
    ///   this call.
    public func receive(_ value: Input) -> Subscribers.Demand {
      guard isAsked.exchange(false, ordering: .acquiringAndReleasing) else { return .none }
      let turn = Turn(of: self)
      _ = stage.withBody { $0.handle(value, turn) }
      guard turn.leave(), !stage.isClosed else { return .none }
      isAsked.store(true, ordering: .releasing)
      return .max(1)
    }

    /// Asks for the next value, outside of the call that brought the one before.
    func askForNext() {
      isAsked.store(true, ordering: .releasing)
      stage.request(Credit(rawValue: 1))
    }

    /// Hands the completion to the closure, once no task is at work any more, and lets go of everything.
    public func receive(completion: Subscribers.Completion<Failure>) {
      guard let whenCompleted = stage.finish(for: self, taking: { $0.receiveCompletion }) else {
        return
      }
      let waits = handling.withLock { handling in
        if handling.isWorking, !handling.isCancelled {
          handling.end = Handling.End(completion: completion, whenCompleted: whenCompleted)
        }
        return handling.isWorking
      }
      if !waits { whenCompleted(completion) }
    }

    /// Stops for good and lets go of everything.
    public override func cancel() {
      let old = handling.withLock { handling in
        let old = handling
        handling = Handling(isWorking: old.isWorking, isCancelled: true)
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

extension Subscribers.OneByOneSink where Input: Sendable {
  /// Makes a sink that has each value handled in a task, and asks for the next when that has returned.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once, at the completion, when no value is being handled any more.
  ///   - receiveValue: Called with each value, one at a time, in a task that is cancelled with the sink.
  @preconcurrency
  public convenience init(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (_ value: Input) async -> Void
  ) {
    self.init(
      receiveCompletion: receiveCompletion,
      handle: { value, turn in turn.sink.start(turn) { await receiveValue(value) } })
  }
}

extension Subscribers.OneByOneSink {
  /// Starts a task for the value whose turn it is.
  private func start(_ turn: Turn, _ work: @escaping @Sendable () async -> Void) {
    let isWanted = handling.withLock { handling in
      handling.isWorking = !handling.isCancelled
      return handling.isWorking
    }
    guard isWanted else { return }
    let task = startTask {
      if !self.isCancelled { await work() }
      self.didHandle(turn)
    }
    // The next value comes only when the call that brought this one has returned; so if no task is at
    // work, it was this one, and it has ended.
    let isCancelled = handling.withLock { handling in
      if handling.isWorking, !handling.isCancelled { handling.task = task }
      return handling.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  private var isCancelled: Bool { handling.withLock { $0.isCancelled } }

  private func didHandle(_ turn: Turn) {
    let end = handling.withLock { handling in
      defer { handling = Handling(isCancelled: handling.isCancelled) }
      return handling.end
    }
    if let end {
      end.whenCompleted(end.completion)
    } else {
      turn.resume()
    }
  }
}

extension Subscribers.OneByOneSink: ReferenceListing {
  package var heldReferences: [HeldReference] {
    let end = handling.withLock { $0.end }
    return stage.heldReferences
      + (end.map { [.closure("handling.end", $0.whenCompleted)] } ?? [])
  }
}
