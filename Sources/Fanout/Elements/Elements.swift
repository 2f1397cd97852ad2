// `@unchecked Sendable` invariant: everything is a constant, and the closure captures nothing.

public import FanoutEngine

extension Publishers {
  /// The values of a shared publisher as an `AsyncSequence`: each loop has its own place in the
  /// shared log.
  ///
  /// | starts | stops | a late loop gets | slow loop | memory |
  /// | --- | --- | --- | --- | --- |
  /// | a subscriber with each iterator | with the loop, its task or the end | what the publisher replays, then every later value | loses nothing, or what `buffering` says | what the slowest loop has not taken, once for all loops |
  ///
  /// If the publisher has a ``Backlog``, that says what a slow loop gets, unless `buffering` limits it. The values
  /// come to the task of the loop, so they are `Sendable`.
  public struct Elements<Source: Publisher>: AsyncSequence where Source.Output: Sendable {
    /// The publisher's output.
    public typealias Element = Source.Output
    /// The publisher's failure.
    public typealias Failure = Source.Failure

    let source: Source
    let buffering: ElementBuffering
    /// The closure that begins a loop.
    let begin: Begin

    /// The way in which a loop gets its values.
    enum Beginning {
      /// It fetches them from its own place in the shared log.
      case cursor(ElementCursor<Element, Failure>)
      /// It requests them one by one.
      case requests(AnyPublisher<Element, Failure>)
    }

    typealias Begin = (Source, ElementBuffering) -> Beginning

    init(source: Source, buffering: ElementBuffering, begin: @escaping Begin) {
      self.source = source
      self.buffering = buffering
      self.begin = begin
    }

    /// Subscribes to the publisher; the loop receives everything from here on.
    ///
    /// - Returns: An iterator, which leaves the publisher when it is released.
    public func makeAsyncIterator() -> Iterator {
      switch BoundedDelivery.limit({ begin(source, buffering) }) {
      case .cursor(let cursor): Iterator(cursor: cursor, requests: nil)
      case .requests(let publisher):
        Iterator(cursor: nil, requests: publisher.values.makeAsyncIterator())
      }
    }

    /// The place of one loop, which leaves the publisher when it is released.
    @frozen
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline package let cursor: ElementCursor<Source.Output, Source.Failure>?
      /// The loop that requests its values one by one, where the thread that delivers says what it gets.
      @usableFromInline package var requests:
        AsyncPublisher<AnyPublisher<Source.Output, Source.Failure>>.Iterator?

      init(
        cursor: ElementCursor<Source.Output, Source.Failure>?,
        requests: AsyncPublisher<AnyPublisher<Source.Output, Source.Failure>>.Iterator?
      ) {
        self.cursor = cursor
        self.requests = requests
      }

      /// Waits for the next value; returns nil at the end and when the task is cancelled.
      ///
      /// - Returns: The next value, or nil.
      /// - Throws: The publisher's failure, once, after every value.
      @inlinable
      public nonisolated(nonsending) mutating func next() async throws(Source.Failure) -> Source
        .Output?
      {
        try await next(isolation: #isolation)
      }

      /// Waits for the next value; returns nil at the end and when the task is cancelled.
      ///
      /// - Parameter actor: The actor on which the caller runs.
      /// - Returns: The next value, or nil.
      /// - Throws: The publisher's failure, once, after every value.
      @inlinable
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(Source.Failure) -> Source.Output? {
        guard let cursor else { return try await requests?.next(isolation: actor) }
        let fetched: Fetched<Source.Output, Subscribers.Completion<Source.Failure>>
        if let found = cursor.fetch() {
          fetched = found
        } else {
          fetched = await cursor.next(isolation: actor).value
        }
        switch fetched {
        case .element(let element): return element
        case .end(.failure(let error)): throw error
        case .end(.finished), .nothing, .again: return nil
        }
      }
    }
  }
}

extension Publishers.Elements: @unchecked Sendable where Source: Sendable {}

@available(*, unavailable)
extension Publishers.Elements.Iterator: Sendable {}

@available(*, unavailable)
extension Publishers.Elements.Beginning: Sendable {}
