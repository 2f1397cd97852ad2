/// A signal that was accepted while another thread delivered, in the order of acceptance.
@usableFromInline
package enum Work<Element, End> {
  case value(Element)
  case end(End)
  case join(Cursor<Element, End>)
  case joinPulling(PullCursor<Element, End>)
  case open
  case close
  /// The replay is to be given up.
  case clear
  /// The accounts of all receivers are to be made readable.
  case report
  /// The number of receivers is to be told.
  case count
  /// An upstream has come, and the hub limits what it asks for.
  case upstream(DeliverySource)
  /// A receiver that was to join has left before its turn.
  case withdrawn
}

/// A request or a cancel of a receiver while another thread delivered.
@usableFromInline
package struct ControlMessage<Element, End> {
  @usableFromInline let cursor: Cursor<Element, End>
  /// The node to notify when the cancelled cursor was removed.
  @usableFromInline let receiver: ChainNode?

  @inlinable
  init(cursor: Cursor<Element, End>, receiver: ChainNode?) {
    self.cursor = cursor
    self.receiver = receiver
  }
}

/// The part of a hub that is guarded by its lock: the work left for the delivering thread.
@usableFromInline
package struct Inbox<Element, End> {
  @usableFromInline var work: [Work<Element, End>] = []
  /// The pieces of that work which the thread that delivers has brought itself.
  @usableFromInline var own = OwnWork()
  /// The number of pieces of work and messages that other threads than that one have left.
  @usableFromInline var foreign = 0
  /// The number of receivers that are to join; `Inbox+Joins` keeps account of them.
  @usableFromInline var joins = 0
  /// The number of those that have left and still take a place.
  @usableFromInline var withdrawn = 0
  /// Whether the number of receivers is to be told in its turn.
  @usableFromInline var isCountQueued = false
  @usableFromInline var attention: [ControlMessage<Element, End>] = []
  /// Cursors whose replay has moved on, so that the log may forget.
  @usableFromInline var unpinned: [PullCursor<Element, End>] = []
  /// The values that wait for pull cursors, while there are any.
  @usableFromInline package var tap: PullLog<Element, End>?
  /// The backlogs with a policy, in the order in which their receivers joined.
  @usableFromInline package var limited = ArrivalList<LimitedBacklog<Element, End>>()
  /// The end, once one was accepted.
  @usableFromInline package var end: End?
  /// The newest connection that was opened.
  @usableFromInline var opened = 0
  /// The newest value accepted, if the hub was made to tell it.
  @usableFromInline var newest: Element?

  @inlinable
  init(newest: Element?) { self.newest = newest }
}

extension Inbox {
  /// The values that were accepted and not taken up yet; nil if what is remembered changes between
  /// them.
  @inlinable
  var queuedValues: [Element]? {
    var values: [Element] = []
    for work in work {
      switch work {
      case .value(let element): values.append(element)
      case .open, .close, .clear: return nil
      case .end, .join, .joinPulling, .upstream, .count, .report, .withdrawn: break
      }
    }
    return values
  }
}

@available(*, unavailable)
extension Inbox: Sendable {}

@available(*, unavailable)
extension Work: Sendable {}

@available(*, unavailable)
extension ControlMessage: Sendable {}
