// `@unchecked Sendable` invariant: the cursor is safe to use from any thread. One thread makes a
// fetched value and one uses it; the `OneShot` orders the two.

package import FanoutEngine

/// The owner of a loop's cursor, which cancels the cursor when it is deallocated.
package final class ElementCursor<Output, Failure: Error>: @unchecked Sendable {
  package typealias End = Subscribers.Completion<Failure>

  /// A fetched value in transit from the thread that accepted it to the loop.
  struct Fetch: @unchecked Sendable {
    let fetched: Fetched<Output, End>
  }

  package let cursor: PullCursor<Output, End>

  init(_ cursor: PullCursor<Output, End>) {
    self.cursor = cursor
    noteCreation(of: self)
  }

  deinit { cancel() }

  package func cancel() { BoundedDelivery.limit { cursor.cancel() } }

  /// Returns the next value, the end or nothing.
  ///
  /// If the task is cancelled, it cancels the cursor and returns nothing.
  func next(isolation: isolated (any Actor)?) async -> Fetch {
    if Task.isCancelled { cancel() }
    if let fetched = BoundedDelivery.limit({ cursor.fetchNow() }) { return Fetch(fetched: fetched) }
    let answer = OneShot<Fetched<Output, End>>()
    return await withTaskCancellationHandler {
      BoundedDelivery.limit { cursor.fetch(answer.give) }
      return Fetch(fetched: await answer.wait(isolation: isolation))
    } onCancel: {
      cancel()
    }
  }
}
