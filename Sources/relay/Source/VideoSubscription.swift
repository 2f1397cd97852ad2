// Relaxed atomics: invariant: `signals` is raised after each change and read before it is looked
// at, with acquiring and releasing operations, so the notes need no order of their own.

import Fanout
import Synchronization

/// One subscriber's read of a file.
///
/// `request` and `cancel` may come from any thread, and from inside `receive`: they leave a note
/// and raise `signals`. The thread that raises it from 0 delivers until every signal is answered.
/// So calls into the subscriber never overlap, and no thread ever waits. State that is not atomic
/// belongs to the delivering thread.
final class VideoSubscription<Downstream: Subscriber>: Subscription
where Downstream.Input == AccessUnit, Downstream.Failure == RelayError {
  /// The demand that has not been taken up yet; `Int.max` is unlimited.
  private let asked = Atomic(0)
  private let isCancelled = Atomic(false)
  /// The signals not yet answered; the first is the subscription itself, answered by ``start()``.
  private let signals = Atomic(1)

  private var downstream: Downstream?
  private var reader: AccessUnitReader?
  private var upcoming: AccessUnit?
  private var demand = Subscribers.Demand.none

  init(reader: AccessUnitReader, subscriber: Downstream) {
    self.reader = reader
    downstream = subscriber
  }

  /// Starts to deliver, once the subscriber has its subscription.
  func start() { answerSignals() }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let more = demand.max ?? .max
    var seen = asked.load(ordering: .relaxed)
    while true {
      let (sum, overflow) = seen.addingReportingOverflow(more)
      let (exchanged, original) = asked.weakCompareExchange(
        expected: seen, desired: overflow ? .max : sum, ordering: .relaxed)
      if exchanged { break }
      seen = original
    }
    signal()
  }

  func cancel() {
    isCancelled.store(true, ordering: .relaxed)
    signal()
  }

  private func signal() {
    let before = signals.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue
    if before == 0 { answerSignals() }
  }

  private func answerSignals() {
    var answered = 1
    while answered > 0 {
      deliver()
      answered = signals.wrappingSubtract(answered, ordering: .acquiringAndReleasing).newValue
    }
  }

  /// Delivers the requested units in a loop, so that requests inside `receive` add no depth.
  private func deliver() {
    while let downstream, !releaseIfCancelled() {
      do {
        if upcoming == nil { upcoming = try reader?.next() }
      } catch {
        return complete(downstream, with: .failure(error))
      }
      guard let unit = upcoming else { return complete(downstream, with: .finished) }
      let more = asked.exchange(0, ordering: .relaxed)
      demand += more == .max ? .unlimited : .max(more)
      guard demand > .none, !releaseIfCancelled() else { return }
      upcoming = nil
      demand -= 1
      demand += downstream.receive(unit)
    }
  }

  private func complete(
    _ downstream: Downstream, with completion: Subscribers.Completion<RelayError>
  ) {
    guard !releaseIfCancelled() else { return }
    release()
    downstream.receive(completion: completion)
  }

  private func releaseIfCancelled() -> Bool {
    guard isCancelled.load(ordering: .relaxed) else { return false }
    release()
    return true
  }

  /// Releases the subscriber and closes the file at once, not only at its own deinitialization.
  private func release() {
    reader = nil
    upcoming = nil
    downstream = nil
  }
}
