extension Publishers {
  /// A publisher of the elements of an asynchronous sequence, with an iteration of its own for each
  /// subscriber; `publisher` makes it.
  ///
  /// - Demand: exact, and nothing ahead of it: an element is asked of the sequence when the subscriber
  ///   has asked for it. That a sequence has ended can only be learnt by asking it for an element, which
  ///   is work; so the end too is looked for only when there is demand. Who asks for exactly as many
  ///   values as there are learns of the end with its next request.
  /// - Completion: finishes at the sequence's end, and fails with what it throws.
  /// - Cancel: cancels the task of the iteration; nothing is delivered after it. A sequence that does
  ///   not heed cancellation keeps that task and its own iterator until it answers, and what it
  ///   answers is ignored. The subscriber is let go at once in any case.
  /// - Concurrency: the iteration runs in a task of its own, which starts at the first request. Values
  ///   and end are delivered there, or on the thread that asks, if that one is at it.
  /// - Ownership: while values are asked for, the task keeps the subscription; while none are, it
  ///   ends with it.
  public struct Async<Elements: AsyncSequence & Sendable>: Publisher, Sendable {
    /// The elements.
    public typealias Output = Elements.Element
    /// What the sequence can throw.
    public typealias Failure = Elements.Failure

    /// The sequence whose elements are delivered.
    public let sequence: Elements

    /// Makes a publisher of the elements of `sequence`.
    ///
    /// - Parameter sequence: What each subscriber iterates.
    public init(sequence: Elements) { self.sequence = sequence }

    /// Attaches a subscriber; nothing is iterated until it asks.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      AsyncSequenceSubscription(sequence, downstream: subscriber).begin()
    }
  }
}

extension AsyncSequence where Self: Sendable {
  /// A publisher of this sequence's elements, iterated anew for each subscriber, at the rate at which
  /// it asks.
  ///
  /// Whether several iterations are possible, and what each of them sees, is the sequence's affair: an
  /// `AsyncStream` can be iterated once. `share()` makes one iteration for many subscribers.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let (numbers, feed) = AsyncStream.makeStream(of: Int.self)
  /// for number in 1...3 { feed.yield(number) }
  /// feed.finish()
  /// for await square in numbers.publisher.map({ $0 * $0 }).values { print(square) }
  /// // Prints:
  /// // 1
  /// // 4
  /// // 9
  /// ```
  public var publisher: Publishers.Async<Self> { Publishers.Async(sequence: self) }
}
