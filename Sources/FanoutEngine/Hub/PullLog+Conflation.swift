// Invariant: what a log does here is done under the lock of the hub's inbox; `conflate(for:)` takes that, and calls the
// user's closures without it.

extension PullLog {
  /// Lets what waits for a cursor conflate from now on, but for a value that it has asked for.
  @inlinable
  func conflate(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    by rule: Conflation<Element>, _ batch: inout PullBatch<Element>,
    _ served: inout DeferredWork<Element, End>
  ) {
    let asked = batch.isFirstAsked ? batch.values.popLast() ?? take(cursor) : nil
    var values: [Element] = []
    while let element = batch.values.popLast() ?? take(cursor) { values.append(element) }
    if let asked { batch.values.append(asked) }
    cursor.note(batch)
    // They are the newest of the log.
    let earlier = min(max(openedAt &- (log.end &- values.count), 0), values.count)
    terms.conflation = PullConflation(
      rule, earlier: values.prefix(earlier), values.dropFirst(earlier))
    served.rest.userCalls.append(.conflate(cursor))
  }

  /// Notes that a connection begins.
  @inlinable
  func noteConnection() {
    openedAt = log.end
    for cursor in cursors.members { cursor.terms?.conflation?.noteConnection() }
  }
}

extension Hub {
  /// The number of values that a thread conflates before others take turns with it.
  @usableFromInline static var conflatedAtOnce: Int { 128 }

  /// Conflates what was accepted for a loop.
  ///
  /// If very much is, the rest is left to the next thread that sends or to the loop: it comes by here before it waits.
  @inlinable
  @inline(never)
  func conflate(for cursor: PullCursor<Element, End>) {
    var left = Self.conflatedAtOnce
    var work = beginConflating(for: cursor, upTo: left)
    while let (conflation, taken) = work {
      let displaced = conflation.conflate(taken)
      left &-= taken.count
      var served = DeferredWork<Element, End>()
      inbox.withLock { inbox in
        conflation.end(displaced: displaced.count)
        cursor.terms?.conflated &+= displaced.count
        if inbox.pullLog?.report(cursor) == true { served.rest.userCalls.append(.observer) }
        serve(cursor, &inbox, &served)
      }
      carryOut(served)
      // What has made way is released with no lock held.
      withExtendedLifetime(displaced) {}
      work = beginConflating(for: cursor, upTo: left)
    }
  }

  @inlinable
  func beginConflating(
    for cursor: PullCursor<Element, End>, upTo limit: Int
  ) -> (PullConflation<Element>, [PullConflation<Element>.Accepted])? {
    inbox.withLock { _ in
      guard let conflation = cursor.terms?.conflation else { return nil }
      // A call that waits gets its result at once.
      let limit = cursor.waiting > 0 ? max(limit, 1) : limit
      return conflation.begin(upTo: limit).map { (conflation, $0) }
    }
  }
}
