extension Publisher where Output: Sendable {
  /// Attaches closures of the main actor that receive everything, until the returned object is cancelled
  /// or dies.
  ///
  /// In the main actor's code it is what `sink` is elsewhere: a value that is sent there is received
  /// before `send` returns. One that is sent elsewhere waits until the main actor comes to it, and so
  /// does every later one until then; order holds.
  ///
  /// - Demand: asks for everything.
  /// - Completion, failure: come behind the last value, on the main actor.
  /// - Cancel: lets go of the closures and of all that waits at once. A cancel on the main actor is final:
  ///   nothing is received after it returns. A cancel from elsewhere may find one call under way.
  /// - Concurrency: the main actor is taken up once for all that waits, up to 128 values; then other
  ///   work of the main actor has its turn. On Linux, code in a block of `DispatchQueue.main` does not
  ///   count as the main actor's, and its values wait too.
  /// - Ownership: as for `sink`.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once, at the completion.
  ///   - receiveValue: Called with each value, one at a time.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
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
    receive(on: MainActorPlace()).sink { completion in
      MainActor.assumeIsolated { receiveCompletion(completion) }
    } receiveValue: { value in
      MainActor.assumeIsolated { receiveValue(value) }
    }
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches a closure of the main actor that receives every value, until the returned object is
  /// cancelled or dies.
  ///
  /// It is the short form of ``sinkOnMainActor(receiveCompletion:receiveValue:)``.
  ///
  /// - Parameter receiveValue: Called with each value, one at a time.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
  @preconcurrency
  public func sinkOnMainActor(
    receiveValue: @escaping @MainActor @Sendable (Output) -> Void
  ) -> AnyCancellable {
    receive(on: MainActorPlace()).sink { value in
      MainActor.assumeIsolated { receiveValue(value) }
    }
  }
}
