// Invariant: a pull log is reached only under the lock of its hub's inbox.

/// The log that the pull cursors of a hub share: every value accepted since the first of them came, until all
/// of them have fetched it.
///
/// A value enters it when it is accepted, not when it is delivered. It exists only while there is a pull
/// cursor.
@usableFromInline
package final class PullLog<Element, End> {
  @exclusivity(unchecked) package var log = Log<Element>()
  @exclusivity(unchecked) package var cursors: [PullCursor<Element, End>] = []

  init() { noteCreation(of: self, isPart: true) }

  deinit { log.destroy() }

  /// Adds a value for every attached cursor; `skipped` takes the values beyond a limit.
  func append(_ element: Element, skipped: inout [Element]) {
    log.append(element)
    log.forgetAll()
    guard let last = log.last else { return }
    for cursor in cursors {
      if cursor.chunk == nil {
        cursor.chunk = last.raw
        cursor.index = log.end &- 1
        last.changeResting(at: cursor.index, arriving: true)
      }
      if cursor.limit < .max { skip(cursor, &skipped) }
    }
  }

  /// Gives up the oldest values of a cursor until no more wait than it wants.
  func skip(_ cursor: PullCursor<Element, End>, _ skipped: inout [Element]) {
    guard !cursor.isJoining else { return }
    while cursor.replayCount &+ count(cursor) > cursor.limit {
      guard let element = cursor.takeReplay() ?? take(cursor) else { return }
      skipped.append(element)
    }
  }

  /// How many values wait for a cursor, without its replay.
  func count(_ cursor: PullCursor<Element, End>) -> Int {
    cursor.chunk == nil ? 0 : log.end &- cursor.index
  }

  /// Takes the next value for a cursor.
  ///
  /// The log gives up only that value, which the caller gets; so this call releases no value.
  func take(_ cursor: PullCursor<Element, End>) -> Element? {
    guard let raw = cursor.chunk else { return nil }
    let chunk = Chunk<Element>(raw)
    let index = cursor.index
    let element = chunk.slot(index).pointee
    chunk.changeResting(at: index, arriving: false)
    cursor.index &+= 1
    let next = cursor.index == chunk.end ? chunk.next : chunk
    cursor.chunk = next?.raw
    next?.changeResting(at: cursor.index, arriving: true)
    _ = log.takeForgotten(before: index &+ 1)
    return element
  }

  /// Takes a cursor out; `released` takes what was kept for it alone.
  func remove(_ cursor: PullCursor<Element, End>, released: inout [Element]) {
    cursors.removeAll { $0 === cursor }
    if let raw = cursor.chunk {
      Chunk<Element>(raw).changeResting(at: cursor.index, arriving: false)
      cursor.chunk = nil
    }
    while let element = log.takeForgotten(before: .max) { released.append(element) }
  }
}

@available(*, unavailable)
extension PullLog: Sendable {}
