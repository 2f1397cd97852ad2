public import FanoutCore

extension Publisher where Output: Sendable {
  /// Attaches closures that receive everything on the main actor.
  ///
  /// It is ``sink(isolation:receiveCompletion:receiveValue:)`` for the main actor, from any code.
  ///
  /// For code on the main actor it behaves as `sink` does elsewhere: a value sent there is received
  /// before `send` returns. A value sent elsewhere waits for its turn on the main actor. Until then
  /// every later value waits behind it, so the order is kept.
  ///
  /// - Demand: requests everything.
  /// - Completion, failure: arrive behind the last value, on the main actor.
  /// - Cancel: releases the closures and all waiting values at once. A cancel on the main actor is
  ///   final: nothing is received after it returns. A cancel from elsewhere may find one call under
  ///   way.
  /// - Concurrency: one turn of the main actor delivers everything that waits, up to 128 values;
  ///   then other work of the main actor gets its turn. On Linux, code in a block of
  ///   `DispatchQueue.main` does not count as the main actor's, and its values wait too.
  /// - Ownership: as for `sink`.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure that is called once, at the completion.
  ///   - receiveValue: The closure that is called with each value, one at a time.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// @MainActor final class Label {
  ///   var text = "" { didSet { print("text", text) } }
  /// }
  ///
  /// let label = Label()
  /// let names = PassthroughSubject<String, Never>()
  /// let shown = names.sinkOnMainActor { print($0) } receiveValue: { label.text = $0 }
  /// names.send("fat")
  /// print("sent")
  /// names.send(completion: .finished)
  /// shown.cancel()
  /// // Prints:
  /// // text fat
  /// // sent
  /// // finished
  /// ```
  @preconcurrency
  public func sinkOnMainActor(
    receiveCompletion:
      @escaping @MainActor @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(
      on: MainActor.shared,
      receiveCompletion: { end in MainActor.assumeIsolated { receiveCompletion(end) } },
      receiveValue: { value in MainActor.assumeIsolated { receiveValue(value) } })
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a closure that receives every value on the main actor.
  ///
  /// It is the short form of ``sinkOnMainActor(receiveCompletion:receiveValue:)``.
  ///
  /// - Parameter receiveValue: The closure that is called with each value, one at a time.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  @preconcurrency
  public func sinkOnMainActor(
    receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    sink(
      on: MainActor.shared, receiveCompletion: { _ in },
      receiveValue: { value in MainActor.assumeIsolated { receiveValue(value) } })
  }
}
