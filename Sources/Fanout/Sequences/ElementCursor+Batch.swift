public import FanoutEngine

/// The result of a loop's request for several values at once.
@usableFromInline
package enum FoundBatch<End> {
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
  package func fetch(upTo count: Int, into found: inout [Output]) -> FoundBatch<End> {
    while found.count < count {
      switch fetch() {
      case .element(let element)?: found.append(element)
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case .again?, nil: return .values
      }
      cursor.takeBatch(upTo: count &- found.count, into: &found)
    }
    return .values
  }

  /// Takes the events that wait for a loop that is told more than its values, up to a number of them.
  @inlinable
  func fetch(upTo count: Int, into found: inout [Delivery<Output>]) -> FoundBatch<End> {
    while found.count < count {
      switch fetchNotice() {
      case .element(let notice)?: found.append(Delivery(notice))
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case .again?, nil: return .values
      }
    }
    return .values
  }
}

@available(*, unavailable)
extension FoundBatch: Sendable {}
