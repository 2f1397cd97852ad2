public import FanoutEngine

/// The result of a loop's request for several values at once.
@usableFromInline
package enum FoundBatch<Value, End> {
  /// Values, and no more of them wait.
  case values
  /// Values, of which there may be none, and the end behind them.
  case end(End)
  /// Nothing, and never anything more: the end was taken, or the loop was cancelled.
  case nothing
}

extension ElementCursor {
  /// Takes the values that wait, up to a number of them.
  ///
  /// If the task is cancelled, it cancels the cursor and returns `.nothing`.
  ///
  /// - Parameters:
  ///   - count: The greatest number of values in the array.
  ///   - found: The array, to which the values are added.
  /// - Returns: What is behind the values.
  @inlinable
  package func fetch(upTo count: Int, into found: inout [Output]) -> FoundBatch<Output, End> {
    if Task.isCancelled {
      cancel()
      return .nothing
    }
    var taken: [Output] = []
    let isAlone = batch.withLock { batch -> Bool in
      guard !batch.isFetching else { return false }
      batch.isFetching = true
      swap(&batch.values, &taken)
      return true
    }
    guard isAlone else { return fetchOne(into: &found) }
    let rest = fetch(upTo: count, into: &found, taking: &taken)
    batch.withLock { batch in
      batch.isFetching = false
      // After a cancel the caller releases the values.
      if !batch.isCancelled { swap(&batch.values, &taken) }
    }
    return rest
  }

  /// Takes values out of `taken`, which has the oldest last, and fetches more as long as there is room for them.
  @inlinable
  func fetch(
    upTo count: Int, into found: inout [Output], taking taken: inout [Output]
  ) -> FoundBatch<Output, End> {
    while true {
      let room = min(count &- found.count, taken.count)
      found.append(contentsOf: taken.suffix(room).reversed())
      taken.removeLast(room)
      guard found.count < count else { return .values }
      switch cursor.fetch(batch: &taken) {
      case .element(let value): found.append(value)
      case .end(let end): return .end(end)
      case .nothing: return .nothing
      case nil: return .values
      }
    }
  }

  /// Takes one value, while another call, by a copy of the iterator, takes several.
  @inlinable
  func fetchOne(into found: inout [Output]) -> FoundBatch<Output, End> {
    switch cursor.fetch() {
    case .element(let value): found.append(value)
    case .end(let end): return .end(end)
    case .nothing: return .nothing
    case nil: break
    }
    return .values
  }
}

@available(*, unavailable)
extension FoundBatch: Sendable {}
