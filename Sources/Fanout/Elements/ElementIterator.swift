// `@unchecked Sendable` invariant: the only stored property is a constant, a cursor that is safe to use from any
// thread.

public import FanoutEngine

/// The owner of a loop's cursor, which cancels the cursor when it is deallocated.
@_fixed_layout
@usableFromInline package final class ElementCursor<Output, Failure: Error>: @unchecked Sendable {
  @usableFromInline package typealias End = Subscribers.Completion<Failure>

  @usableFromInline package let cursor: PullCursor<Output, End>

  @inlinable
  init(_ cursor: PullCursor<Output, End>) {
    self.cursor = cursor
    noteCreation(of: self)
  }

  deinit { cancel() }

  @usableFromInline
  package func cancel() { BoundedDelivery.limit { cursor.cancel() } }

  /// Returns the next value or the end, or nil if the loop has to wait.
  ///
  /// If the task is cancelled, it cancels the cursor and returns `.nothing`.
  @inlinable
  package func fetch() -> Fetched<Output, End>? {
    guard Task.isCancelled else { return cursor.fetch() }
    cancel()
    return .nothing
  }

  /// Returns the next event of a loop that is told more than its values, or the end, or nil if the loop has to wait.
  ///
  /// If the task is cancelled, it cancels the cursor and returns `.nothing`.
  func fetchNotice() -> Fetched<Notice<Output>, End>? {
    guard Task.isCancelled else { return cursor.fetchNotice() }
    cancel()
    return .nothing
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

  /// Waits for the next event of a loop that is told more than its values, the end or nothing.
  func nextNotice(
    isolation: isolated (any Actor)?
  ) async -> UnsafeTransfer<Fetched<Notice<Output>, End>> {
    while true {
      if let found = fetchNotice() { return UnsafeTransfer(found) }
      // It says that there is something, and not what.
      _ = await next(isolation: isolation)
    }
  }
}
