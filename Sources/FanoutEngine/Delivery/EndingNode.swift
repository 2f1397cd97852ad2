/// A node that a cancellable can hold, and that knows whether it still has something to cancel.
package protocol EndingNode: ChainNode {
  /// Whether it was cancelled, or has received its end.
  var hasEnded: Bool { get }
}

extension Cursor: EndingNode {
  package var hasEnded: Bool { isStopped }
}
