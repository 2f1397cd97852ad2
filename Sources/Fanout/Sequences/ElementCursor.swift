// `@unchecked Sendable` invariant: the only stored property is a constant, a cursor that is safe to
// use from any thread.

public import FanoutEngine

/// The owner of a loop's cursor, which cancels the cursor when it is deallocated.
@usableFromInline package final class ElementCursor<Output, Failure: Error>: @unchecked Sendable {
  @usableFromInline package let cursor: PullCursor<Output, Subscribers.Completion<Failure>>

  init(_ cursor: PullCursor<Output, Subscribers.Completion<Failure>>) {
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
  package func fetch() -> Fetched<Output, Subscribers.Completion<Failure>>? {
    guard Task.isCancelled else { return cursor.fetch() }
    cancel()
    return .nothing
  }

  /// Returns the next event of a loop that is told more than its values, or the end, or nil if the
  /// loop has to wait.
  ///
  /// If the task is cancelled, it cancels the cursor and returns `.nothing`.
  ///
  /// For `isSpecialized`, see `PullCursor`.
  @inlinable
  package func fetchNotice(
    isSpecialized: Bool = false
  ) -> Fetched<Notice<Output>, Subscribers.Completion<Failure>>? {
    guard Task.isCancelled else { return cursor.fetchNotice(isSpecialized: isSpecialized) }
    cancel()
    return .nothing
  }

  /// Waits for the next value, the end or nothing.
  @inlinable
  func next(isolation: isolated (any Actor)?) async -> UnsafeTransfer<
    Fetched<Output, Subscribers.Completion<Failure>>
  > {
    await withTaskCancellationHandler {
      UnsafeTransfer(await cursor.next(isolation: isolation))
    } onCancel: {
      cancel()
    }
  }

  /// Waits for the next event of a loop that is told more than its values, the end or nothing.
  @inlinable
  func nextNotice(
    isolation: isolated (any Actor)?, isSpecialized: Bool
  ) async -> UnsafeTransfer<Fetched<Notice<Output>, Subscribers.Completion<Failure>>> {
    while true {
      if let found = fetchNotice(isSpecialized: isSpecialized) { return UnsafeTransfer(found) }
      switch await next(isolation: isolation).value {
      case .element(let element): return UnsafeTransfer(.element(.live(element)))
      case .end(let end): return UnsafeTransfer(.end(end))
      case .nothing: return UnsafeTransfer(.nothing)
      case .again: continue
      }
    }
  }
}
