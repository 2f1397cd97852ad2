// `@unchecked Sendable` invariant: the cursor and the lock are safe to use from any thread, and a value that is
// taken out of the batch is not touched here again.

public import FanoutEngine

/// The owner of a loop's cursor, which cancels the cursor when it is deallocated.
@usableFromInline
package final class ElementCursor<Output, Failure: Error>: @unchecked Sendable {
  @usableFromInline package typealias End = Subscribers.Completion<Failure>

  @usableFromInline package let cursor: PullCursor<Output, End>
  /// The values that were taken together with an earlier one.
  @usableFromInline
  package struct Batch {
    /// The values, the oldest last.
    @usableFromInline package var values: [Output] = []
    /// Whether a call takes values from the cursor.
    ///
    /// Another call at the same time is one by a copy of the iterator.
    @usableFromInline var isFetching = false
    @usableFromInline var isCancelled = false

    @inlinable init() {}
  }

  /// No sender takes this lock; only the loop and its cancel do.
  @usableFromInline package let batch = Lock(Batch())

  @inlinable
  init(_ cursor: PullCursor<Output, End>) {
    self.cursor = cursor
    noteCreation(of: self)
  }

  @inlinable
  deinit { cancel() }

  @inlinable
  package func cancel() {
    BoundedDelivery.limit { cursor.cancel() }
    let released = batch.withLock { batch -> [Output] in
      batch.isCancelled = true
      var released: [Output] = []
      swap(&batch.values, &released)
      return released
    }
    withExtendedLifetime(released) {}
  }

  /// Returns the next value or the end, or nil if the loop has to wait.
  ///
  /// If the task is cancelled, it cancels the cursor and returns `.nothing`.
  @inlinable
  package func fetch() -> Fetched<Output, End>? {
    if Task.isCancelled {
      cancel()
      return .nothing
    }
    var taken: [Output] = []
    let (value, isFirst) = batch.withLock { batch -> (Output?, Bool) in
      if let value = batch.values.popLast() { return (value, false) }
      guard !batch.isFetching else { return (nil, false) }
      batch.isFetching = true
      // The storage is used again, so that no batch takes an allocation.
      swap(&batch.values, &taken)
      return (nil, true)
    }
    if let value { return .element(value) }
    return isFirst ? fetch(batch: &taken) : cursor.fetch()
  }

  /// Takes the next result from the cursor, and values that follow it.
  @inlinable
  func fetch(batch taken: inout [Output]) -> Fetched<Output, End>? {
    let fetched = cursor.fetch(batch: &taken)
    batch.withLock { batch in
      batch.isFetching = false
      // After a cancel the caller releases the values.
      if !batch.isCancelled { swap(&batch.values, &taken) }
    }
    return fetched
  }

  /// Waits for the next value, the end or nothing.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> UnsafeTransfer<Fetched<Output, End>> {
    await withTaskCancellationHandler {
      UnsafeTransfer(await cursor.next(isolation: isolation))
    } onCancel: {
      cancel()
    }
  }
}

@available(*, unavailable)
extension ElementCursor.Batch: Sendable {}
