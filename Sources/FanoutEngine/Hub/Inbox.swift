/// What was accepted while another thread delivered, in the order of acceptance.
@usableFromInline
enum Work<Element, End> {
  case value(Element)
  case end(End)
  case join(Cursor<Element, End>)
  case open
  case close
}

/// A receiver that asked for more or has gone while another thread delivered.
@usableFromInline
struct Attention<Element, End> {
  @usableFromInline let cursor: Cursor<Element, End>
  /// Who is to be told when the one who has gone was taken out.
  @usableFromInline let receiver: Link?

  @inlinable
  init(cursor: Cursor<Element, End>, receiver: Link?) {
    self.cursor = cursor
    self.receiver = receiver
  }
}

/// The part of a hub that is guarded by its lock: the work left for the delivering thread.
@usableFromInline
struct Inbox<Element, End> {
  @usableFromInline var work: [Work<Element, End>] = []
  @usableFromInline var attention: [Attention<Element, End>] = []
  /// The newest connection that was opened.
  @usableFromInline var opened = 0
  /// The newest value accepted, if the hub was made to tell it.
  @usableFromInline var newest: Element?

  @inlinable
  init(newest: Element?) { self.newest = newest }
}

@available(*, unavailable)
extension Inbox: Sendable {}

@available(*, unavailable)
extension Work: Sendable {}

@available(*, unavailable)
extension Attention: Sendable {}
