// Every function here is called by the holder of the drain. A release of a value may run user code, so it happens
// when the cursor and the log are consistent.

/// The values that a receiver without a policy requests in a hub without a log, before it has its subscription.
///
/// They are owed to it, and kept value by value, not by a place: whether a value is among them depends on the requests
/// up to that value, so that others may be missing in between.
extension Hub {
  /// Keeps for a receiver what it requested while it was receiving its subscription.
  ///
  /// That is owed to it, also where a value that was not requested is lost or replaced.
  func keepRequested(_ element: Element, for cursor: Cursor<Element, End>) {
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if rules.mode == .lossy {
      guard asked > UInt(backlog.count) else { return }
    } else {
      if cursor.isBehind, cursor.backlog == nil, let displaced = retention.displaced {
        backlog.append(displaced)
      }
      if asked < UInt(backlog.count) { _ = backlog.popLast() }
    }
    backlog.append(element)
    cursor.backlog = backlog
    setBehind(cursor, true)
  }

  /// Drops the values that the end overtakes: those that a receiver without its subscription has not requested.
  ///
  /// What the receiver has requested is owed to it.
  func dropUnrequested(_ cursor: Cursor<Element, End>) {
    guard cursor.isBehind, !cursor.isLimited else { return }
    let asked = cursor.allCredit.rawValue
    let backlog = cursor.backlog ?? ValueQueue()
    if cursor.backlog == nil, let newest = retention.newest { backlog.append(newest) }
    while UInt(backlog.count) > asked { _ = backlog.popLast() }
    cursor.backlog = backlog.count > 0 ? backlog : nil
    setBehind(cursor, backlog.count > 0)
  }
}
