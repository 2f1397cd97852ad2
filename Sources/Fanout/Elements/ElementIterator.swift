// `@unchecked Sendable` invariant: the cursor is safe to use from any thread; a fetched value is made
// by one thread and used by one, which its answer orders.

package import FanoutEngine

/// Who holds a cursor for a loop: dropping it cancels.
package final class ElementCursor<Output, Failure: Error>: @unchecked Sendable {
  package typealias End = Subscribers.Completion<Failure>

  /// A fetched value on its way from the thread that accepted it to the loop.
  struct Fetch: @unchecked Sendable {
    let fetched: Fetched<Output, End>
  }

  package let cursor: PullCursor<Output, End>

  init(_ cursor: PullCursor<Output, End>) {
    self.cursor = cursor
    noteCreation(of: self)
  }

  deinit { cancel() }

  package func cancel() { cursor.cancel() }

  /// The next value, the end or nothing; nothing if the task is cancelled, which cancels the cursor.
  func next(isolation: isolated (any Actor)?) async -> Fetch {
    if Task.isCancelled { cursor.cancel() }
    if let fetched = cursor.fetchNow() { return Fetch(fetched: fetched) }
    let answer = Answer<Fetched<Output, End>>()
    return await withTaskCancellationHandler {
      cursor.fetch(answer.give)
      return Fetch(fetched: await answer.wait(isolation: isolation))
    } onCancel: {
      cursor.cancel()
    }
  }
}

extension ElementCursor: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("cursor", cursor)] }
}
