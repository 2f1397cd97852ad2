// Invariant of `@unchecked Sendable` in the example: one thread uses its objects.

public import FanoutCore
internal import FanoutEngine

extension Publisher {
  /// Attaches closures that receive one value at a time, and the next one on request.
  ///
  /// Use it for a chain that pauses until something has happened. Behind a publisher that does not
  /// wait, such as a subject, ``buffer(size:prefetch:whenFull:)`` keeps the values that arrive in
  /// between.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure that is called once, at the completion, when the last
  ///     value's closure has been called too.
  ///   - receiveValue: The closure that is called with each value, one at a time, on the delivering
  ///     thread, and with a closure that requests the next value. That closure may be called from
  ///     any thread, inside `receiveValue` or later. A second call does nothing, and neither does a
  ///     call after a cancel.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// // Used by one thread.
  /// final class Gate: @unchecked Sendable {
  ///   var open: () -> Void = {}
  /// }
  ///
  /// let gate = Gate()
  /// let handled = (1...3).publisher.oneByOneSink { print($0) } receiveValue: { number, resume in
  ///   print("number", number)
  ///   gate.open = resume
  /// }
  /// print("later")
  /// gate.open()
  /// gate.open()
  /// gate.open()
  /// handled.cancel()
  /// // Prints:
  /// // number 1
  /// // later
  /// // number 2
  /// // number 3
  /// // finished
  /// ```
  @preconcurrency
  public func oneByOneSink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue:
      @escaping @Sendable (
        _ value: Output, _ resume: @escaping @Sendable () -> Void
      ) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.OneByOneSink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Output: Sendable {
  /// Attaches an asynchronous closure that receives one value at a time, and the next one when it
  /// has returned.
  ///
  /// - Parameters:
  ///   - receiveCompletion: The closure that is called once, at the completion, when no value is
  ///     being handled any more.
  ///   - receiveValue: The closure that is called with each value, one at a time, in a task of its
  ///     own, which is cancelled with the returned cancellable.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels, also the
  ///   task.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let (ended, end) = AsyncStream.makeStream(of: Never.self)
  /// let events = PassthroughSubject<String, Never>()
  /// let handled = events
  ///   .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
  ///   .oneByOneSink { completion in
  ///     print(completion)
  ///     end.finish()
  ///   } receiveValue: { name in
  ///     print("hello", name)
  ///     await Task.yield()
  ///     print("goodbye", name)
  ///   }
  /// for name in ["fat", "bob"] { events.send(name) }
  /// events.send(completion: .finished)
  /// for await _ in ended {}
  /// handled.cancel()
  /// // Prints:
  /// // hello fat
  /// // goodbye fat
  /// // hello bob
  /// // goodbye bob
  /// // finished
  /// ```
  @preconcurrency
  public func oneByOneSink(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping @Sendable (_ value: Output) async -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.OneByOneSink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    receive(subscriber: sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure that receives one value at a time, and the next one on request.
  ///
  /// - Parameter receiveValue: The closure that is called with each value, one at a time, on the
  ///   delivering thread, and with a closure that requests the next value.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  @preconcurrency
  public func oneByOneSink(
    receiveValue:
      @escaping @Sendable (
        _ value: Output, _ resume: @escaping @Sendable () -> Void
      ) -> Void
  ) -> AnyCancellable {
    oneByOneSink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Publisher where Output: Sendable, Failure == Never {
  /// Attaches an asynchronous closure that receives one value at a time, and the next one when it
  /// has returned.
  ///
  /// - Parameter receiveValue: The closure that is called with each value, one at a time, in a task
  ///   of its own, which is cancelled with the returned cancellable.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels, also the
  ///   task.
  @preconcurrency
  public func oneByOneSink(
    receiveValue: @escaping @Sendable (_ value: Output) async -> Void
  ) -> AnyCancellable {
    oneByOneSink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

extension Subscribers.OneByOneSink: EndingNode {
  // The last turn and the completion come behind the end of the upstream.
  package var hasEnded: Bool { handling.withLock { $0.phase == .over } }
}
