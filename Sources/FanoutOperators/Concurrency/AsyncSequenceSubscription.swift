internal import FanoutCore
package import FanoutEngine

/// The subscription to an asynchronous sequence, which puts the elements of its iteration through
/// the queue.
///
/// The queue is empty most of the time, because an element is requested only when it can be
/// delivered. It decides which thread delivers, and ensures that nothing follows a cancel.
package final class AsyncSequenceSubscription<Elements: AsyncSequence & Sendable>:
  QueuedSubscription<Never, Elements.Element, Elements.Element, Elements.Failure>
{
  package let iteration: Iteration<Elements>

  init(
    _ elements: Elements, in kind: TaskKind, only: SingleIteration?,
    downstream: ErasedSubscriber<Elements.Element, Elements.Failure>
  ) {
    iteration = Iteration(elements, in: kind, only: only)
    super.init(downstream: downstream, name: "Async")
  }

  // While nothing is requested, the task does not retain this subscription, and would wait forever.
  deinit { iteration.end() }

  package override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    super.request(credit)
    iteration.add(credit, for: self)
  }

  package override func runOut(isLimited: Bool) {
    deliverItems(isLimited: isLimited) { more in iteration.add(more, for: self) }
  }

  package override func willCancel() {
    iteration.cancel()
    super.willCancel()
  }

  package override func letGo() {
    // A delivering thread may reach this before the cancelling thread has stopped the task.
    if isCancelled { iteration.cancel() } else { iteration.end() }
    super.letGo()
  }
}
