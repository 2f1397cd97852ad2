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
  /// If the publisher has a ``Backlog``, that says what a slow loop gets, unless `buffering` limits it.
  public struct Elements<Source: Publisher>: AsyncSequence {
    /// The publisher's output.
    public typealias Element = Source.Output
    /// The publisher's failure.
    public typealias Failure = Source.Failure

    @usableFromInline let source: Source
    @usableFromInline let buffering: ElementBuffering
    /// The closure that subscribes a loop, or returns nil if the loop has to request its values one by one.
    @usableFromInline let makeCursor: MakeCursor

    @usableFromInline
    typealias MakeCursor = (Source, ElementBuffering) -> ElementCursor<Element, Failure>?

    @inlinable
    init(source: Source, buffering: ElementBuffering, makeCursor: @escaping MakeCursor) {
      self.source = source
      self.buffering = buffering
      self.makeCursor = makeCursor
    }

    /// Subscribes to the publisher; the loop receives everything from here on.
    ///
    /// - Returns: An iterator, which leaves the publisher when it is released.
    @inlinable
    public func makeAsyncIterator() -> Iterator {
      if let cursor = BoundedDelivery.limit({ makeCursor(source, buffering) }) {
        return Iterator(cursor: cursor, requests: nil)
      }
      return Iterator(cursor: nil, requests: source.values.makeAsyncIterator())
    }

    /// The place of one loop, which leaves the publisher when it is released.
    public struct Iterator: AsyncIteratorProtocol {
      @usableFromInline package let cursor: ElementCursor<Source.Output, Source.Failure>?
      /// The loop that requests its values one by one, where the publisher's backlog says what waits.
      @usableFromInline package var requests: AsyncPublisher<Source>.Iterator?

      @inlinable
      init(
        cursor: ElementCursor<Source.Output, Source.Failure>?,
        requests: AsyncPublisher<Source>.Iterator?
      ) {
        self.cursor = cursor
        self.requests = requests
      }

      /// Waits for the next value; returns nil at the end and when the task is cancelled.
      ///
      /// - Returns: The next value, or nil.
      /// - Throws: The publisher's failure, once, after every value.
      @inlinable
      public mutating func next() async throws(Source.Failure) -> Source.Output? {
        try await next(isolation: nil)
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
        case .end(.finished), .nothing: return nil
        }
      }
    }
  }
}

extension Publishers.Elements: @unchecked Sendable where Source: Sendable {}

@available(*, unavailable)
extension Publishers.Elements.Iterator: Sendable {}
