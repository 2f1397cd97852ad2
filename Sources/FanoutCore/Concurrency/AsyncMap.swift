internal import FanoutEngine

extension Publishers {
  /// A publisher of what an asynchronous closure makes of each value of its upstream, in the order of
  /// the upstream; `asyncMap` makes it.
  public struct AsyncMap<Upstream: Publisher, Output>: Publisher where Upstream.Output: Sendable {
    /// The upstream's failure.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are worked on at most at one time.
    public let maxConcurrent: Int
    /// What is made of each value.
    @preconcurrency public let transform: @Sendable (Upstream.Output) async -> Output

    /// Makes a publisher that delivers what `transform` makes of each value of `upstream`.
    ///
    /// - Parameters:
    ///   - upstream: Where the values come from.
    ///   - maxConcurrent: How many tasks run at most at one time, from 1 up; less traps.
    ///   - transform: Called once a value and subscriber, in a task of its own.
    @preconcurrency
    public init(
      upstream: Upstream, maxConcurrent: Int,
      transform: @escaping @Sendable (Upstream.Output) async -> Output
    ) {
      requireConcurrency(maxConcurrent)
      self.upstream = upstream
      self.maxConcurrent = maxConcurrent
      self.transform = transform
    }

    /// Attaches a subscriber, with tasks of its own.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AsyncMapSubscription<Upstream.Output, Failure, S>(
          downstream: subscriber, name: "AsyncMap", maxConcurrent: maxConcurrent,
          transform: { [transform] in .success(await transform($0)) }, failure: { $0 }))
    }
  }
}

extension Publishers.AsyncMap: Sendable where Upstream: Sendable {}

extension Publisher where Output: Sendable {
  /// Delivers what an asynchronous closure makes of each value, in the order of the values.
  ///
  /// Of the upstream, `maxConcurrent` values are asked for when the subscriber first asks, and one more
  /// with each result that is handed on. So at most that many values are in work or wait as results;
  /// all others wait in the upstream. One that does not wait, such as a subject or `share()`, loses
  /// what is sent meanwhile: put ``buffer(size:prefetch:whenFull:)`` in between. With a buffer and
  /// `maxConcurrent: 1`, events are handled one by one, in their order, and none is lost.
  ///
  /// - Demand: exact; results wait for it.
  /// - Completion: the upstream's end comes behind the result of every value that came before it, also
  ///   a failure.
  /// - Cancel: cancels the tasks that run, and the upstream. What a task returns that does not heed
  ///   cancellation is ignored; only its closure and its value live until then.
  /// - Concurrency: the closure runs in a task for each value, off any actor. Results are delivered by
  ///   the task that has brought the next one in order, or on the thread that asks.
  /// - Cost: a task and two allocations a value.
  ///
  /// - Parameters:
  ///   - maxConcurrent: How many tasks run at most at one time, from 1 up; less traps.
  ///   - transform: Called once a value and subscriber.
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
  ///     await Task.yield()
  ///     print("hello", name)
  ///   }
  ///   .sink(receiveCompletion: { _ in whenHandled.finish() }, receiveValue: { _ in })
  /// for name in ["fat", "bob", "man"] { events.send(name) }
  /// events.send(completion: .finished)
  /// for await _ in handled {}
  /// handling.cancel()
  /// // Prints:
  /// // hello fat
  /// // hello bob
  /// // hello man
  /// ```
  @preconcurrency
  public func asyncMap<Result>(
    maxConcurrent: Int, _ transform: @escaping @Sendable (Output) async -> Result
  ) -> Publishers.AsyncMap<Self, Result> {
    Publishers.AsyncMap(upstream: self, maxConcurrent: maxConcurrent, transform: transform)
  }
}

// Not `precondition`: that says nothing in a release build.
func requireConcurrency(_ maxConcurrent: Int) {
  if maxConcurrent < 1 {
    fatalError("asyncMap(maxConcurrent: \(maxConcurrent)): at least one task has to run at a time")
  }
}
