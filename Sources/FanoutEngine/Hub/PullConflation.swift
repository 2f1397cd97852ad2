// Invariant: everything is reached under the lock of the hub's inbox, but for `settled` and `state` while values are
// being settled: then only the thread that settles them reaches these two.

/// The values that wait for a loop that fetches, while its backlog conflates them: one for each key.
///
/// Closures of the user's find the keys and merge values, and run with no lock held. So a value arrives here under the
/// lock, and is settled behind it: it waits behind the others then, or in the place of one. Meanwhile the loop takes
/// none.
@usableFromInline
package final class PullConflation<Element> {
  /// The values that the loop can take.
  @usableFromInline let settled = ValueQueue<Element>()
  @exclusivity(unchecked) @usableFromInline var state: ConflationState<Element>
  /// The values that have arrived since others began to be settled; nil where a connection begins.
  @exclusivity(unchecked) @usableFromInline var arrived: [Element?] = []
  /// Whether a thread settles values.
  @exclusivity(unchecked) @usableFromInline var isSettling = false
  /// The number of values that wait, settled or not.
  @exclusivity(unchecked) @usableFromInline package var count = 0

  /// Creates a conflation, which begins with the values that wait.
  ///
  /// - Parameters:
  ///   - rule: The rule.
  ///   - earlier: The values of earlier connections, which stay as they are.
  ///   - values: The values of the current connection, behind these.
  @inlinable
  init(_ rule: Conflation<Element>, earlier: ArraySlice<Element>, _ values: ArraySlice<Element>) {
    state = ConflationState(rule)
    for element in earlier { settled.append(element) }
    state.openedAt = settled.log.end
    arrived = Array(values)
    count = earlier.count &+ values.count
    noteCreation(of: self, isPart: true)
  }

  /// The number of values that the loop can take now.
  @inlinable var readyCount: Int { isSettling ? 0 : settled.count }

  /// The values that wait, as far as no thread settles them.
  package var waitingValues: [Element] {
    (isSettling ? [] : settled.values) + arrived.compactMap { $0 }
  }

  /// A copy of the keys of what waits, unless a thread settles values.
  package var keys: Any? { isSettling ? nil : state.index.copy() }

  /// Whether no value has to be settled.
  @inlinable var isSettled: Bool { !isSettling && arrived.isEmpty }

  /// Adds a value; returns whether no thread settles values, so that the caller has to.
  @inlinable
  func arrive(_ element: Element) -> Bool {
    arrived.append(element)
    count &+= 1
    return !isSettling
  }

  /// Notes that a connection begins: none of its values takes the place of an earlier one.
  @inlinable
  func noteConnection() { if count > 0 { arrived.append(nil) } }

  /// Takes the first value, unless values are being settled.
  @inlinable
  func takeFirst() -> Element? {
    guard !isSettling, let element = settled.popFirst() else { return nil }
    count &-= 1
    return element
  }

  /// Begins to settle what has arrived; returns nil if there is nothing, or if another thread settles values.
  @inlinable
  func beginSettling() -> [Element?]? {
    guard !isSettling, !arrived.isEmpty else { return nil }
    isSettling = true
    var values: [Element?] = []
    swap(&values, &arrived)
    return values
  }

  /// Settles values, with no lock held; returns those that have made way.
  @inlinable
  func settle(_ values: [Element?]) -> [Element] {
    var released: [Element] = []
    for case let element in values {
      guard let element else {
        state.openedAt = settled.log.end
        continue
      }
      let first = max(settled.log.head, state.openedAt)
      if let old = state.put(element, into: settled, from: first) { released.append(old) }
    }
    return released
  }

  /// Notes that values were settled, of which a number have made way.
  @inlinable
  func endSettling(released: Int) {
    isSettling = false
    count &-= released
  }
}

extension PullLog {
  /// Lets what waits for a cursor conflate from now on, but for a value that it has asked for.
  @inlinable
  func conflate(
    _ cursor: PullCursor<Element, End>, _ terms: PullTerms<Element, End>,
    by rule: Conflation<Element>, _ batch: inout PullBatch<Element>,
    _ served: inout DeferredWork<Element, End>
  ) {
    var asked: Element?
    if batch.isFirstAsked { asked = batch.values.popLast() ?? take(cursor) }
    var values: [Element] = []
    while let element = batch.values.popLast() ?? take(cursor) { values.append(element) }
    if let asked { batch.values.append(asked) }
    cursor.held = batch.values.count
    // They are the newest of the log.
    let earlier = min(max(openedAt &- (log.end &- values.count), 0), values.count)
    terms.conflation = PullConflation(
      rule, earlier: values.prefix(earlier), values.dropFirst(earlier))
    served.rest.unsettled.append(cursor)
  }

  /// Notes that a connection begins.
  @inlinable
  func noteConnection() {
    openedAt = log.end
    for cursor in cursors.members { cursor.terms?.conflation?.noteConnection() }
  }
}

extension Hub {
  /// Settles the values that have arrived for a loop whose backlog conflates.
  @inlinable
  @inline(never)
  func settle(_ cursor: PullCursor<Element, End>) {
    var work: (conflation: PullConflation<Element>, values: [Element?])?
    func take() {
      work = inbox.withLock { _ in
        guard let conflation = cursor.terms?.conflation else { return nil }
        return conflation.beginSettling().map { (conflation, $0) }
      }
    }
    take()
    while let (conflation, values) = work {
      let released = conflation.settle(values)
      var served = DeferredWork<Element, End>()
      inbox.withLock { inbox in
        conflation.endSettling(released: released.count)
        cursor.terms?.conflated &+= released.count
        if inbox.pullLog?.report(cursor) == true { served.rest.endings.append((cursor, nil)) }
        serve(cursor, &inbox, &served)
      }
      carryOut(served)
      // What has made way is released with no lock held.
      withExtendedLifetime(released) {}
      take()
    }
  }
}

@available(*, unavailable)
extension PullConflation: Sendable {}
