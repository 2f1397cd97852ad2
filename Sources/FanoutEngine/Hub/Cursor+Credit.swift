// Unsafe casts: invariant: a cursor is a `SinkCursor` if its kind says so, and otherwise a `DemandCursor`.

/// A sink takes every value. So its cursor has no credit, and only the other cursors store one.
extension Cursor {
  @inlinable
  final var asDemandCursor: DemandCursor<Element, End> {
    @inline(__always) get { unsafeDowncast(self, to: DemandCursor<Element, End>.self) }
  }

  /// Whether credit is left for a value, counting only what the holder of the drain has taken up.
  @inlinable
  final var hasCredit: Bool {
    @inline(__always) get { isSink || asDemandCursor.credit != .none }
  }

  /// Whether that credit is unlimited.
  @inlinable
  final var hasUnlimitedCredit: Bool {
    @inline(__always) get { isSink || asDemandCursor.credit.isUnlimited }
  }

  /// The credit that the receiver has left, with what the holder of the drain has not taken up yet.
  @inlinable
  final var allCredit: Credit {
    isSink ? .unlimited : asDemandCursor.credit + asDemandCursor.pending.peek()
  }

  /// Adds the pending credit, if none is left or if the pending credit is unlimited.
  @inlinable
  @inline(__always)
  final func takeUpCredit() {
    guard !isSink else { return }
    let cursor = asDemandCursor
    if cursor.credit == .none || cursor.pending.peek().isUnlimited {
      cursor.credit = cursor.credit + cursor.pending.take()
    }
  }

  /// Delivers a value for which there is credit, and takes it off the credit.
  @inlinable
  @inline(__always)
  final func deliverOnCredit(_ element: Element) {
    guard !isSink else {
      return closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
    }
    let cursor = asDemandCursor
    let more = cursor.deliver(element)
    cursor.credit = cursor.credit.afterOne + more
    if cursor.credit == .none { cursor.credit = cursor.pending.take() }
  }
}
