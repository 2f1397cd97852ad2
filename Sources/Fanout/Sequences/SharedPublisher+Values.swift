internal import FanoutCore
internal import FanoutEngine

extension SharedPublisher where Self: Sendable, Output: Sendable {
  /// The values for `for await` loops, of which each has a place of its own and loses nothing
  /// between two values.
  ///
  /// A loop is a subscriber. It joins when its iterator is made, with the replay and the backlog of
  /// this publisher. It leaves when it has got the end, when its task is cancelled and when its
  /// iterator is released, as by `break`. ``SharedSequence`` says what else a loop can ask for:
  /// ``SharedSequence/joining(_:where:backlog:label:)``, ``SharedSequence/deliveries()``,
  /// ``SharedSequence/batches(upTo:)``. ``SharedSequence/publisher`` is the way back.
  ///
  /// - Completion: `next()` returns nil forever; a failure is thrown once, after every value.
  /// - Concurrency: a loop fetches values itself, from where this publisher accepts them. So no
  ///   subscriber of this publisher can hold the loop up by not returning from `receive`. A
  ///   subscriber of the upstream can: a value that is stuck there has not arrived here (D11). One
  ///   wait is left: a loop that begins while a subscriber is inside `receive` may have to wait for
  ///   its replay until that returns. This happens if a closure or a cache of yours decides what is
  ///   replayed, or if that subscriber is receiving values that it requested one by one or had
  ///   missed.
  /// - Cost: a loop takes up to 32 waiting values under one lock, and one where its backlog may
  ///   drop some. While there are loops, the sender takes that lock once for each value. Values
  ///   wait once for all loops, until the slowest has taken them.
  /// - Backlog: if this publisher has a ``Backlog``, that says what the loop loses. Under `.wait`
  ///   the upstream is asked for more when half of the loop's backlog is taken, or all of it. A
  ///   loop over a `CurrentValueSubject` or a ``CurrentValue`` gets the newest value on each turn.
  /// - One by one: some loops request their values one by one. Such a loop waits for a subscriber
  ///   that is stuck, and costs more. <doc:SlowSubscribers#How-a-loop-takes-its-values> lists them:
  ///   newcomers may have to wait for a keyframe, or their backlog limits more than a number of
  ///   values.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share(replay: .all)
  /// let keeping = shared.sink { _ in }
  /// (1...2).forEach { source.send($0) }
  /// let first = Task {
  ///   for await value in shared.values { print("first", value) }
  /// }
  /// source.send(3)
  /// source.send(completion: .finished)
  /// await first.value
  /// for await value in shared.values { print("second", value) }
  /// // Prints:
  /// // first 1
  /// // first 2
  /// // first 3
  /// // second 1
  /// // second 2
  /// // second 3
  /// ```
  public var values: SharedSequence<Output, Failure> { SharedSequence(self) }
}

extension _SharedPublisher where Output: Sendable {
  /// The values for `for await` loops that stay where this publisher is, because it is not
  /// `Sendable`.
  ///
  /// An ``AnyPublisher`` in front of a `share()` has forgotten whether it is `Sendable`, so that
  /// the share is not. A loop gets what one over a ``SharedSequence`` gets, and loses nothing. For
  /// the other members of a shared sequence leave the publisher unerased, or call `joining` and
  /// `deliveries()` before `values`.
  @inlinable
  public var values: _LocalSequence<SharedSequence<Output, Failure>.Iterator> {
    _LocalSequence { [self] in _access.makeIterator() }
  }
}

extension Publishers.Deliveries where Upstream.Output: Sendable {
  /// The events for `for await` loops that stay where this publisher is; see
  /// ``SharedSequence/deliveries()``.
  @inlinable
  public var values: _LocalSequence<SharedDeliveries<Upstream.Output, Upstream.Failure>.Iterator> {
    _LocalSequence { [source] in source._access.makeDeliveriesIterator() }
  }
}

/// A sequence whose loops begin with a closure that may not leave its isolation.
@frozen
@_documentation(visibility: internal)
public struct _LocalSequence<AsyncIterator: AsyncIteratorProtocol>: AsyncSequence {
  /// The elements.
  public typealias Element = AsyncIterator.Element
  /// The failure.
  public typealias Failure = AsyncIterator.Failure

  @usableFromInline let begin: () -> AsyncIterator

  @inlinable
  init(begin: @escaping () -> AsyncIterator) { self.begin = begin }

  /// Subscribes; the loop receives everything from here on.
  ///
  /// - Returns: An iterator, which leaves when it is released.
  @inlinable
  public func makeAsyncIterator() -> AsyncIterator { begin() }
}

@available(*, unavailable)
extension _LocalSequence: Sendable {}

extension SharedAccess where Output: Sendable {
  /// Begins a loop: it fetches its values if its place and its backlog allow that, and requests
  /// them otherwise.
  @usableFromInline
  func makeIterator() -> SharedSequence<Output, Failure>.Iterator {
    if let cursor = BoundedDelivery.limit({ makeCursor() }) {
      return SharedSequence.Iterator(cursor: cursor, requests: nil)
    }
    return SharedSequence.Iterator(
      cursor: nil, requests: AsyncPublisher(losingNothing).makeAsyncIterator())
  }

  /// Begins a loop that is told more than its values.
  @usableFromInline
  func makeDeliveriesIterator() -> SharedDeliveries<Output, Failure>.Iterator {
    if let cursor = BoundedDelivery.limit({ makeCursor(isTold: true) }) {
      return SharedDeliveries.Iterator(cursor: cursor, requests: nil)
    }
    return SharedDeliveries.Iterator(
      cursor: nil, requests: AsyncPublisher(losingNothing.deliveries()).makeAsyncIterator())
  }
}

/// The publisher behind an access, for a loop that requests its values one by one.
@usableFromInline
package struct AccessedPublisher<Output, Failure: Error>: SharedPublisher {
  @usableFromInline package let _access: SharedAccess<Output, Failure>

  @usableFromInline
  package func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    _access.attach(subscriber)
  }
}
