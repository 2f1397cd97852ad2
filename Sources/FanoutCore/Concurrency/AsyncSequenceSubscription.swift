internal import FanoutEngine

/// The subscription to an asynchronous sequence: what its iteration brings goes through the queue.
///
/// The queue is empty most of the time, because an element is asked for only when it can be delivered;
/// it decides which thread delivers, and that nothing follows a cancel.
final class AsyncSequenceSubscription<Elements: AsyncSequence & Sendable, Downstream: Subscriber>:
  QueuedSubscription<Elements.Element, Downstream>
where Downstream.Input == Elements.Element, Downstream.Failure == Elements.Failure {
  let iteration: Iteration<Elements, Downstream>

  init(_ elements: Elements, downstream: Downstream) {
    iteration = Iteration(elements)
    super.init(downstream: downstream, name: "Async")
  }

  // While nothing is asked for, the task does not keep this, and would wait for ever.
  deinit { iteration.end() }

  override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    super.request(credit)
    iteration.add(credit, for: self)
  }

  override func runOut() {
    deliverItems({ $0 }, afterEach: { _, more in iteration.add(more, for: self) })
  }

  override func willCancel() {
    iteration.cancel()
    super.willCancel()
  }

  override func letGo() {
    iteration.end()
    super.letGo()
  }

  package override var heldReferences: [HeldReference] {
    super.heldReferences + [.value("iteration", iteration)]
  }
}
