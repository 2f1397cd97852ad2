// Invariant: a backlog belongs to one cursor, and its properties are reached only by the holder of the hub's drain.
// Unsafe cast: the backlog of a cursor that is marked as limited is a `LimitedBacklog`.

/// The backlog of a receiver that has a policy for it: its own values, its account and its own end.
///
/// What waits for the receiver is the values here, and behind them the hub's log from the receiver's place on.
@usableFromInline
package final class LimitedBacklog<Element, End>: ValueQueue<Element> {
  @usableFromInline let policy: BacklogPolicy<End>
  /// The end of the hub's log when the receiver joined: what lies before it is replay.
  @usableFromInline let joinedAt: Int
  /// The number of values that the receiver has missed since it joined.
  @exclusivity(unchecked) @usableFromInline package var missed = 0
  /// The end that this receiver alone gets, behind its own values; nothing more waits for it.
  @exclusivity(unchecked) @usableFromInline package var end: End?

  @inlinable
  init(_ policy: BacklogPolicy<End>, joinedAt: Int) {
    self.policy = policy
    self.joinedAt = joinedAt
  }
}

extension Cursor {
  /// The backlog, if it has a policy.
  @inlinable
  package final var limitedBacklog: LimitedBacklog<Element, End>? {
    guard isLimited, let backlog else { return nil }
    return unsafeDowncast(backlog, to: LimitedBacklog<Element, End>.self)
  }

  /// The queue for values of this receiver alone.
  @inlinable
  final var ownValues: ValueQueue<Element> {
    if let backlog { return backlog }
    let made = ValueQueue<Element>()
    backlog = made
    return made
  }

  /// Releases the queue for values of this receiver alone, which is empty.
  @inlinable
  final func dropEmptyBacklog() { if !isLimited { backlog = nil } }
}
