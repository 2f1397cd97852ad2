// Invariant of the casts: a function that is isolated is called like one that is not, and only on
// the actor that it is isolated to: `ActorPlace` runs it there, and `called(_:on:)` refuses any
// other. An asynchronous caller would do the same, but could not keep values in order without a
// turn of the actor for each.

public import FanoutCore
internal import FanoutEngine

extension Publisher where Output: Sendable {
  /// Attaches closures that receive everything on the actor of the code that calls this.
  ///
  /// In code of an actor, a value sent on that actor is received before `send` returns. A value
  /// sent elsewhere waits for its turn on the actor. Until then every later value waits behind it,
  /// so the order is kept. In code of no actor `#isolation` is nil, and this is `sink`.
  ///
  /// - Demand: requests everything.
  /// - Completion, failure: arrive behind the last value, on the actor.
  /// - Cancel: releases the closures and all waiting values at once. A cancel on the actor is
  ///   final: nothing is received after it returns. A cancel from elsewhere may find one call under
  ///   way.
  /// - Concurrency: one turn of the actor delivers at most 128 of the values that wait; then
  ///   other work of the actor gets its turn.
  /// - Ownership: as for `sink`, and the subscription retains the actor, also if the closures
  ///   capture it weakly. An actor that keeps the result is kept alive until cancel or completion.
  ///   In an actor, only a closure that captures the actor strongly belongs to it.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the calling code: `#isolation`. Closures of another actor are a
  ///     mistake, and trap.
  ///   - receiveCompletion: The closure that is called once, at the completion.
  ///   - receiveValue: The closure that is called with each value, one at a time.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// actor Score {
  ///   private var total = 0
  ///   private var counting: AnyCancellable?
  ///
  ///   func count(_ points: PassthroughSubject<Int, Never>) {
  ///     counting = points.sink(isolation: #isolation) { end in
  ///       print(end, self.total)
  ///     } receiveValue: {
  ///       self.total += $0
  ///     }
  ///     points.send(2)
  ///     print("sent", total)
  ///     points.send(3)
  ///     points.send(completion: .finished)
  ///   }
  /// }
  ///
  /// await Score().count(PassthroughSubject())
  /// // Prints:
  /// // sent 2
  /// // finished 5
  /// ```
  @preconcurrency
  public func sink(
    isolation: isolated (any Actor)?,
    @_inheritActorContext receiveCompletion:
      @escaping @isolated(any) @Sendable (Subscribers.Completion<Failure>) -> Void,
    @_inheritActorContext receiveValue: @escaping @isolated(any) @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(
      on: isolation, receiveCompletion: called(receiveCompletion, on: isolation),
      receiveValue: called(receiveValue, on: isolation))
  }

  /// Attaches closures that are called on an actor, or wherever something comes if there is none.
  func sink(
    on actor: (any Actor)?,
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (Output) -> Void
  ) -> AnyCancellable {
    guard let actor else {
      return sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    }
    return receive(on: ActorPlace(actor))
      .sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a closure that receives every value on the actor of the code that calls this.
  ///
  /// It is the short form of ``sink(isolation:receiveCompletion:receiveValue:)``.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the calling code: `#isolation`.
  ///   - receiveValue: The closure that is called with each value, one at a time.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  @preconcurrency
  public func sink(
    isolation: isolated (any Actor)?,
    @_inheritActorContext receiveValue: @escaping @isolated(any) @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(
      on: isolation, receiveCompletion: { _ in },
      receiveValue: called(receiveValue, on: isolation))
  }
}

/// Returns an isolated closure as one to call on the actor it is isolated to.
private func called<Value>(
  _ closure: @escaping @isolated(any) @Sendable (Value) -> Void, on actor: (any Actor)?
) -> @Sendable (Value) -> Void {
  if let other = closure.isolation {
    trap(
      unless: other === actor,
      "sink(isolation: \(actor.map { "\($0)" } ?? "nil")): a closure is isolated to \(other); "
        + "pass #isolation, and closures of that one actor.")
  }
  return unsafeBitCast(closure, to: (@Sendable (Value) -> Void).self)
}
