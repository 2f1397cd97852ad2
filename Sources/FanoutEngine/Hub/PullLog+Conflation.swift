// Invariant: what a log does here is done under the lock of the hub's inbox; `conflate(for:)` takes that, and calls the
// user's closures without it.

extension PullLog {
  /// Lets what waits for a cursor conflate from now on.
  func conflate(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    by rule: Conflation<Element>, _ served: inout DeferredWork
  ) {
    var values: [Element] = []
    while let element = take(cursor) { values.append(element) }
    terms.conflation = PullConflation(rule, values)
    served.rest.userCalls.append(.conflate(cursor))
  }
}

extension Hub {
  /// The number of values beyond which a thread conflates no more of those that others have sent meanwhile.
  static var conflatedAtOnce: Int { 128 }

  /// Conflates what was accepted for a loop.
  ///
  /// If others send without end meanwhile, the rest is left to the next thread that sends, or to the loop, which
  /// conflates before it takes a value.
  @inline(never)
  func conflate(for cursor: PullCursor<Element, End>) {
    var count = 0
    while let (conflation, taken) = beginConflating(
      for: cursor, hasDoneItsShare: count >= Self.conflatedAtOnce)
    {
      let displaced = conflation.conflate(taken)
      count &+= taken.count
      var served = DeferredWork()
      withInbox { inbox in
        conflation.end(displaced: displaced.count)
        cursor.terms?.conflated &+= displaced.count
        if inbox.pullLog?.report(cursor) == true { served.rest.userCalls.append(.observer) }
        serve(cursor, &inbox, &served)
      }
      carryOut(served)
      // What has made way is released with no lock held.
      withExtendedLifetime(displaced) {}
    }
  }

  /// Begins to conflate, unless this thread has done its share and no call waits.
  func beginConflating(
    for cursor: PullCursor<Element, End>, hasDoneItsShare: Bool
  ) -> (PullConflation<Element>, [Element])? {
    withInbox { _ in
      guard let conflation = cursor.terms?.conflation, !hasDoneItsShare || cursor.waiting > 0 else {
        return nil
      }
      return conflation.begin().map { (conflation, $0) }
    }
  }

  /// Whether a loop has to conflate, before it takes a value, what threads that send have left to it.
  @usableFromInline
  func conflatesFirst(
    _ cursor: PullCursor<Element, End>, _ served: inout DeferredWork
  ) -> Bool {
    guard cursor.terms?.conflation?.isDue == true else { return false }
    served.rest.userCalls.append(.conflate(cursor))
    return true
  }
}
