/// The values of a publisher as an asynchronous sequence, which `values` returns.
///
/// Each iterator is a subscriber of its own: it subscribes when it is made, and asks for exactly one
/// value with each call of `next()`. A loop is over at the publisher's end, which a failure makes
/// known by being thrown; a publisher that cannot fail is iterated without `try`.
///
/// - Cancel: when the task that waits is cancelled, `next()` returns nil; the upstream is cancelled
///   before that. It is cancelled too when the iterator is gone: after a `break`, at once.
/// - Concurrency: `next()` resumes where its caller runs. Two calls at the same time, on copies of
///   one iterator, are two requests: each gets a value of its own or nil.
/// - Ownership: an iterator retains its subscription until the end, a cancel, or its own end.
public struct AsyncPublisher<Upstream: Publisher>: AsyncSequence {
  /// The publisher's values.
  public typealias Element = Upstream.Output
  /// The publisher's failure, which is thrown once.
  public typealias Failure = Upstream.Failure

  let upstream: Upstream

  /// Makes a sequence of a publisher's values.
  ///
  /// - Parameter publisher: Where the values come from.
  public init(_ publisher: Upstream) { upstream = publisher }

  /// Subscribes to the publisher.
  ///
  /// - Returns: A subscriber that asks for one value at a time.
  public func makeAsyncIterator() -> Iterator {
    let subscriber = AwaitedValues<Element, Failure>()
    upstream.subscribe(subscriber)
    return Iterator(subscriber)
  }

  /// A subscriber that asks for one value at a time, and waits for it.
  public struct Iterator: AsyncIteratorProtocol {
    private let subscriber: AwaitedValues<Element, Failure>
    /// Cancels when the last copy of the iterator is gone.
    package let claim: AnyCancellable

    init(_ subscriber: AwaitedValues<Element, Failure>) {
      self.subscriber = subscriber
      claim = AnyCancellable(subscriber)
    }

    /// Asks for one value and waits for it.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The value; nil after the end, after a cancel, and after a failure was thrown.
    /// - Throws: The publisher's failure, once.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      try await subscriber.next(isolation: actor)
    }

    /// Asks for one value and waits for it.
    ///
    /// - Returns: The value; nil after the end, after a cancel, and after a failure was thrown.
    /// - Throws: The publisher's failure, once.
    public mutating func next() async throws(Failure) -> Element? {
      try await next(isolation: nil)
    }
  }
}

extension AsyncPublisher: Sendable where Upstream: Sendable {}

@available(*, unavailable)
extension AsyncPublisher.Iterator: Sendable {}

/// The same sequence, by the name that it has in Combine for publishers that can fail.
public typealias AsyncThrowingPublisher<Upstream: Publisher> = AsyncPublisher<Upstream>

extension Publisher {
  /// The values of this publisher, for a `for await` loop.
  ///
  /// Each loop is a subscriber of its own, which asks for a value when it wants the next one. So
  /// behind a publisher that does not wait, such as a subject or `share()`, what is sent while the
  /// body of the loop runs is lost, as in Combine. ``buffer(size:prefetch:whenFull:)`` in front of
  /// `values` keeps it; then a loop handles events one by one, and none is lost.
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
