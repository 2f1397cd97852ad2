// Invariant: everything here is called under the lock of the hub's inbox, and takes the lock of a batch under it; but for
// `endWait(for:)`, which takes both.

extension PullLog {
  /// Looks at a backlog whose wait ends, of which the loop may have taken values.
  @inlinable
  @inline(never)
  func lookAtWait(
    for cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    guard let patience = terms.patience, !cursor.isJoining else { return }
    cursor.batch.withLock { batch in
      cursor.held = batch.values.count
      let live = liveCount(cursor) &- (batch.isFirstAsked ? 1 : 0)
      lookAtWait(terms, patience, live: live, &batch, &served)
    }
  }

  /// Notes whether a backlog whose wait ends is full, and whether the loop has taken a value since it was looked at last.
  @inlinable
  func lookAtWait(
    _ terms: PullTerms<Element, End>, _ patience: BacklogPatience<Element, End>, live: Int,
    _ batch: inout PullBatch<Element>, _ served: inout DeferredWork<Element, End>
  ) {
    let hasTaken = terms.knownCount &+ log.end &- terms.knownEnd > live
    terms.knownCount = live
    terms.knownEnd = log.end
    batch.isWatched = live >= terms.policy.count
    let epoch = patience.note(isFull: batch.isWatched, hasTaken: hasTaken)
    if let epoch { served.rest.times.append((patience, epoch)) }
  }

  /// Leaves a value for a cursor whose oldest values wait apart from the others, unless a wait for it is over.
  @inlinable
  func leave(
    _ element: Element, in kept: ValueQueue<Element>, apart cursor: PullCursor<Element, End>,
    _ terms: PullTerms<Element, End>, _ patience: BacklogPatience<Element, End>,
    _ served: inout DeferredWork<Element, End>
  ) {
    cursor.batch.withLock { batch in
      cursor.held = batch.values.count
      let waiting = kept.count &+ cursor.held
      let live = waiting &- (batch.isFirstAsked ? 1 : 0)
      lookAtWait(terms, patience, live: live &+ 1, &batch, &served)
      guard patience.isOver else { return kept.append(element) }
      terms.knownCount = live
      cursor.missed &+= 1
      batch.notices?.miss(1, behind: cursor.replayCount &+ waiting)
    }
  }
}

extension Hub {
  /// Lets the upstream wait no longer for a loop whose backlog is still full, as a time is over.
  @usableFromInline
  func endWait(for cursor: PullCursor<Element, End>) {
    var served = DeferredWork<Element, End>()
    inbox.withLock { inbox in
      guard let terms = cursor.terms, let log = inbox.pullLog else { return }
      log.lookAtWait(for: cursor, terms, &served)
      guard !cursor.isPinNoted else { return }
      cursor.isPinNoted = true
      served.rest.unpinned.append(cursor)
    }
    carryOut(served)
  }
}
