public import FanoutCore
package import FanoutEngine

extension Publishers {
  /// A publisher of the elements of an asynchronous sequence, with an iteration of its own for each
  /// subscriber; `publisher` creates it.
  ///
  /// - Demand: exact, and nothing ahead of it: an element is requested from the sequence when the
  ///   subscriber has requested it. The end of a sequence shows only when an element is requested,
  ///   which is work; so the end too is looked for only when there is demand. A subscriber that
  ///   requests exactly as many values as there are receives the completion after its next request.
  /// - Completion: finishes at the sequence's end, and fails with the error that the sequence
  ///   throws.
  /// - Cancel: cancels the task of the iteration; nothing is delivered after it. A sequence that
  ///   ignores cancellation keeps that task and its own iterator until it returns, and its result
  ///   is ignored. The subscriber is released at once in any case.
  /// - Concurrency: the iteration runs in a task of its own, which starts at the first request.
  ///   Values and completion are delivered in that task, or on a requesting thread that is already
  ///   delivering.
  /// - Ownership: the task retains the subscription while values are requested. While none are, the
  ///   task ends with the subscription.
  public struct Async<Elements: AsyncSequence & Sendable>: Publisher, Sendable
  where Elements.Element: Sendable {
    /// The element type of the sequence, which is `Sendable`: an element comes from the iteration's
    /// task.
    public typealias Output = Elements.Element
    /// The error type that the sequence can throw.
    public typealias Failure = Elements.Failure

    /// The sequence whose elements are delivered.
    package let sequence: Elements
    /// The task in which a subscriber's iteration runs.
    private let task: TaskKind
    /// The only iteration of a sequence that can be iterated once.
    private let only = SingleIteration.of(Elements.self)

    /// Creates a publisher of the elements of the specified sequence.
    ///
    /// - Parameter sequence: The sequence that each subscriber iterates.
    package init(sequence: Elements) { self.init(sequence: sequence, task: .inheriting) }

    package init(sequence: Elements, task: TaskKind) {
      self.sequence = sequence
      self.task = task
    }

    /// Attaches the specified subscriber; the iteration starts at its first request.
    ///
    /// - Parameter subscriber: The subscriber to attach.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      attach(ErasedSubscriber(subscriber))
    }

    @usableFromInline
    func attach(_ downstream: ErasedSubscriber<Output, Failure>) {
      AsyncSequenceSubscription(sequence, in: task, only: only, downstream: downstream).begin()
    }
  }
}

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// A publisher of this sequence's elements, iterated anew for each subscriber, at the rate of its
  /// requests.
  ///
  /// The sequence decides whether several iterations are possible, and what each of them sees. An
  /// `AsyncStream` can be iterated once: a second subscription to its publisher traps, and so does
  /// one to an `AsyncThrowingStream`, or to a stream behind `map` and the other methods of the
  /// standard library. `share()` makes one iteration serve many subscribers, until the last one
  /// leaves, which cancels it. With `share(disconnect: .whenReleased)`, as with `shared()` of the
  /// sequence, the iteration goes on as long as the shared publisher is kept.
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
