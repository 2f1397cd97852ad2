public import FanoutCore
internal import FanoutEngine

extension Publishers {
  /// A publisher of the results of an asynchronous closure for its upstream's values, in the order
  /// of the upstream; `asyncMap` creates it.
  @frozen
  public struct AsyncMap<Upstream: Publisher, Output>: Publisher, UpstreamFailure
  where Upstream.Output: Sendable {
    /// The upstream publisher.
    @usableFromInline package let upstream: Upstream
    /// The maximum number of tasks that run at a time.
    package let maxConcurrent: Int
    /// The asynchronous closure that transforms each value.
    package let transform: @Sendable (Upstream.Output) async -> Output

    /// Creates a publisher that transforms each value of the specified upstream.
    ///
    /// - Parameters:
    ///   - upstream: The upstream publisher.
    ///   - maxConcurrent: The maximum number of tasks that run at a time, 1 or more; a smaller
    ///     number traps.
    ///   - transform: The closure that transforms a value. It is called once a value and
    ///     subscriber, in a task.
    package init(
      upstream: Upstream, maxConcurrent: Int,
      transform: @escaping @Sendable (Upstream.Output) async -> Output
    ) {
      requireConcurrency(maxConcurrent)
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.transform = transform
    }

    /// Attaches the specified subscriber, with tasks of its own.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: makeInner(ErasedSubscriber(subscriber)))
    }
  }
}

extension Publishers.AsyncMap: Sendable where Upstream: Sendable {}

extension Publishers.AsyncMap {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>
  ) -> SubscribedSource<Upstream.Output, Failure> {
    AsyncMapSubscription(
      downstream: downstream, name: "AsyncMap", maxConcurrent: maxConcurrent, transform: transform,
      failure: { $0 })
  }
}

extension Publisher where Output: Sendable {
  /// Transforms each value with an asynchronous closure and delivers the results, in the order of
  /// the values.
  ///
  /// When the subscriber first requests, the upstream is asked for `maxConcurrent` values, and for
  /// one more with each delivered result. So at most that many values are in work or wait as
  /// results; all others wait in the upstream. An upstream that does not wait, such as a subject or
  /// `share()`, loses the values that it sends meanwhile: put ``buffer(size:prefetch:whenFull:)``
  /// in between. With a buffer and `maxConcurrent: 1`, events are handled one by one, in their
  /// order, and none is lost.
  ///
  /// - Demand: exact; results wait for it.
  /// - Completion: the upstream's completion, also a failure, arrives behind the results of all
  ///   earlier values.
  /// - Cancel: cancels the tasks in which the closure runs, and the upstream. The result of a task
  ///   that ignores cancellation is ignored; only its closure and its value live until then.
  /// - Concurrency: the closure runs in tasks, off any actor. A task takes one waiting value after
  ///   the other, and ends when none waits. While a task delivers, another one takes the values
  ///   that arrive. A task has the priority and the task-local values of the code that started it:
  ///   the sender of a value, or another of these tasks. It keeps them for its later values. One
  ///   thread at a time delivers: that of a task with a result, or of a request.
  /// - Cost: nothing is allocated for a value that a running task takes. For any other value a task
  ///   is started.
  ///
  /// - Parameters:
  ///   - maxConcurrent: The maximum number of tasks that run at a time, 1 or more; a smaller number
  ///     traps.
  ///   - transform: The closure that transforms a value. It is called once a value and subscriber.
  /// - Returns: A publisher of the results.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let events = PassthroughSubject<String, Never>()
  /// let (handled, whenHandled) = AsyncStream.makeStream(of: Void.self)
  /// let handling = events
  ///   .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
  ///   .asyncMap(maxConcurrent: 1) { name in
  ///     print("hello", name)
  ///     await Task.yield()
  ///     print("goodbye", name)
  ///   }
  ///   .sink(receiveCompletion: { _ in whenHandled.finish() }, receiveValue: { _ in })
  /// for name in ["fat", "bob", "man"] { events.send(name) }
  /// events.send(completion: .finished)
  /// for await _ in handled {}
  /// handling.cancel()
  /// // Prints:
  /// // hello fat
  /// // goodbye fat
  /// // hello bob
  /// // goodbye bob
  /// // hello man
  /// // goodbye man
  /// ```
  @preconcurrency
  public func asyncMap<Result>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Output) async -> Result
  ) -> Publishers.AsyncMap<Self, Result> {
    Publishers.AsyncMap(upstream: self, maxConcurrent: maxConcurrent, transform: transform)
  }
}

func requireConcurrency(_ maxConcurrent: Int) {
  trap(
    unless: maxConcurrent > 0,
    """
    asyncMap(maxConcurrent: \(maxConcurrent)): at least one task has to run at a time; pass 1 or \
    more.
    """
  )
}
