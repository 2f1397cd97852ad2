public import FanoutCore
public import FanoutEngine

/// The values of a publisher as an asynchronous sequence, which `values` returns.
///
/// Each iterator is a subscriber of its own: it subscribes when it is made, and requests exactly
/// one value with each call of `next()`. A loop ends at the publisher's completion. A failure is
/// thrown; a publisher that cannot fail is iterated without `try`.
///
/// - Cancel: when the waiting task is cancelled, `next()` returns nil; the upstream is cancelled
///   before that. The upstream is cancelled too when the iterator is released: after a `break`, at
///   once.
/// - Concurrency: `next()` resumes where its caller runs. Making an iterator and calling `next()`
///   may deliver to other subscribers on the caller's thread, but only for a while: then a task
///   continues these deliveries. Two calls at the same time, on copies of one iterator, are two
///   requests: each gets a value of its own or nil.
/// - Ownership: an iterator retains its subscription until the completion, a cancel, or its own
///   end.
@frozen
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence {
  /// The publisher's output.
  public typealias Element = Upstream.Output
  /// The publisher's failure, which is thrown once.
  public typealias Failure = Upstream.Failure

  @usableFromInline let upstream: Upstream

  /// Creates a sequence of a publisher's values, which come to the task of the loop.
  ///
  /// - Parameter publisher: The upstream publisher.
  public init(_ publisher: Upstream) where Upstream.Output: Sendable { upstream = publisher }

  /// Subscribes to the publisher.
  ///
  /// - Returns: An iterator that requests one value at a time.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    let iterator = Iterator()
    BoundedDelivery.limit { upstream.receive(subscriber: iterator.subscriber) }
    return iterator
  }

  /// A subscriber that requests one value at a time, and waits for it.
  @frozen
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline package let subscriber: AwaitedReceiver<Element, Failure>
    /// The claim that cancels when the last copy of the iterator is released.
    package let claim: AnyCancellable

    @usableFromInline
    init() {
      let subscriber = AwaitedValues<Element, Failure>()
      self.subscriber = subscriber
      claim = AnyCancellable(subscriber)
    }

    /// Requests one value and waits for it.
    ///
    /// - Parameter actor: The actor on which the caller runs.
    /// - Returns: The value; nil after the completion, after a cancel, and after a failure was
    ///   thrown.
    /// - Throws: The publisher's failure, once.
    @inlinable
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await subscriber.next(isolation: actor)
    }

    /// Requests one value and waits for it.
    ///
    /// - Returns: The value; nil after the completion, after a cancel, and after a failure was
    ///   thrown.
    /// - Throws: The publisher's failure, once.
    public nonisolated(nonsending) mutating func next() async throws(Failure) -> Element? {
      try await subscriber.next(isolation: #isolation)
    }
  }
}

extension AsyncPublisher: Sendable where Upstream: Sendable {}

@available(*, unavailable)
extension AsyncPublisher.Iterator: Sendable {}

/// The same sequence, under its name in Combine for publishers that can fail.
public typealias AsyncThrowingPublisher<Upstream: Publisher> = AsyncPublisher<Upstream>

extension Publisher where Output: Sendable {
  /// The values of this publisher, for a `for await` loop.
  ///
  /// They come to the task of the loop, so they are `Sendable`: let a `map` in front make such
  /// values.
  ///
  /// Each loop is a subscriber of its own, which requests a value when the loop wants the next one.
  /// So behind a publisher that does not wait, such as a subject, a value that is sent
  /// while the body of the loop runs is lost, as in Combine. ``buffer(size:prefetch:whenFull:)`` in
  /// front of `values` keeps such values; then a loop handles events one by one, and none is lost.
  /// The `values` of a shared publisher, such as `share()`, lose nothing.
  /// <doc:CallbacksAndTasks#A-sink-or-a-loop> compares the two, and a sink.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// func greet(_ events: PassthroughSubject<String, Never>) async {
  ///   let kept = events.buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
  ///   var arriving = kept.values.makeAsyncIterator()
  ///   for name in ["fat", "bob", "man"] { events.send(name) }
  ///   events.send(completion: .finished)
  ///   while let name = await arriving.next() { print("hello", name) }
  /// }
  ///
  /// await greet(PassthroughSubject())
  /// for await number in (1...2).publisher.values { print(number) }
  /// // Prints:
  /// // hello fat
  /// // hello bob
  /// // hello man
  /// // 1
  /// // 2
  /// ```
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}
