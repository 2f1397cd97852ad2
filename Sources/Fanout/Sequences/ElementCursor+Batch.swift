public import FanoutEngine

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
  package func fetch(
    upTo count: Int, into found: inout [Output]
  ) -> FoundBatch<Subscribers.Completion<Failure>> {
    while found.count < count {
      guard !Task.isCancelled else {
        cancel()
        return .nothing
      }
      switch cursor.fetch(upTo: count &- found.count, into: &found) {
      case .values?: continue
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case nil: return .values
      }
    }
    return .values
  }

  /// Takes the events that wait for a loop that is told more than its values, up to a number of
  /// them, or waits for one.
  func fetchEvents(
    upTo count: Int, into found: inout [Delivery<Output>], isolation: isolated (any Actor)?
  ) async -> FoundBatch<Subscribers.Completion<Failure>> {
    while found.count < count {
      var next = fetchNotice()
      if case nil = next, found.isEmpty {
        next = await nextNotice(isolation: isolation, isSpecialized: false).value
      }
      switch next {
      case .element(let notice)?: found.append(Delivery(notice))
      case .end(let end)?: return .end(end)
      case .nothing?: return .nothing
      case .again?, nil: return .values
      }
    }
    return .values
  }
}
