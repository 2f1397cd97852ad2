// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.

public import FanoutCore
public import FanoutEngine

/// The way in which an operator makes its outputs of what its publishers have brought.
///
/// The closures are formed where the types are known, so that they are specialised. The holder of the drain
/// calls them.
@frozen @usableFromInline
package struct Combination<Output> {
  /// Returns the next output, if there is one; the flag says whether there may be one.
  @usableFromInline let next: (_ hasNew: inout Bool) -> Output?
  /// Returns whether there is an output.
  @usableFromInline let isReady: () -> Bool
  /// Returns whether no value that is still to come can make another output; asked when a publisher has finished.
  @usableFromInline let isComplete: () -> Bool
  /// Whether a value may be the last one that was missing.
  @usableFromInline let mayEndWithValue: Bool

  @inlinable
  package init(
    next: @escaping (_ hasNew: inout Bool) -> Output?, isReady: @escaping () -> Bool,
    isComplete: @escaping () -> Bool, mayEndWithValue: Bool = false
  ) {
    (self.next, self.isReady, self.isComplete) = (next, isReady, isComplete)
    self.mayEndWithValue = mayEndWithValue
  }
}

@available(*, unavailable)
extension Combination: Sendable {}

/// The subscription of the operators that combine the values of publishers of different types.
///
/// The events of all publishers have one order: that in which they were accepted. The holder of the drain handles
/// them one by one, and after each it delivers what has become complete and is requested.
@_fixed_layout
@usableFromInline
package final class CombinedSubscription<Downstream: Subscriber>: OldQueuedSubscription<
  (source: CombinedUpstream, isEnd: Bool), Downstream
>
{
  /// The publishers, in the order in which they are subscribed to.
  @usableFromInline package let sources: [CombinedUpstream]
  @usableFromInline let combination: Combination<Downstream.Input>
  /// All that the subscriber has requested so far.
  let requested = Lock(Credit.none)
  /// Whether there may be an output that was not delivered.
  @exclusivity(unchecked) @usableFromInline var hasNew = false
  /// Whether `isComplete` has to be asked.
  @exclusivity(unchecked) @usableFromInline var mayBeComplete = false

  /// Creates a subscription to the specified publishers.
  @inlinable
  package init(
    downstream: Downstream, name: StaticString, sources: [CombinedUpstream],
    _ combination: Combination<Downstream.Input>
  ) {
    self.sources = sources
    self.combination = combination
    super.init(downstream: downstream, name: name) {
      unsafeDowncast($0, to: CombinedSubscription.self).deliverCombined(isLimited: $1)
    }
  }

  /// Subscribes to one of the publishers, unless the end was decided before.
  @inlinable
  package func join<Source: Publisher, Kept: CombinedSource<Source.Output>>(
    _ publisher: Source, as source: Kept
  ) where Source.Failure == Downstream.Failure {
    guard !source.isClosed else { return }
    publisher.receive(subscriber: CombinedSubscriber(self, source))
  }

  /// Subscribes to a publisher whose completion means nothing, unless the end was decided before.
  @inlinable
  package func await<Source: Publisher, Kept: CombinedSource<Source.Output>>(
    _ publisher: Source, as source: Kept
  ) {
    guard !source.isClosed else { return }
    publisher.receive(subscriber: TriggerSubscriber<Kept, Source.Failure, Downstream>(self, source))
  }

  /// Accepts a value of one of the publishers, and delivers what it completes.
  ///
  /// If no thread delivers and the queue is clear, it needs no place in the queue, and no lock.
  @inlinable
  @inline(__always)
  func accept<Source: CombinedSource>(_ value: Source.Value, from source: Source) {
    guard !source.isTrigger, drain.isIdle, drain.tryEnter() else {
      return enqueue(value, from: source)
    }
    source.keep(value)
    hasNew = true
    // Asked behind `keep`: the release of the value before may have cancelled.
    if !mayBeComplete, !isCancelled, deliverOutput(), drain.tryLeave() { return }
    deliverCombined(isLimited: false)
  }

  /// Delivers the output that a value has completed; returns whether no other is left that was requested.
  @inlinable
  @inline(__always)
  func deliverOutput() -> Bool {
    if credit == .none { credit = pending.take() }
    guard credit != .none else { return true }
    if let output = combination.next(&hasNew) { deliver(output) }
    return !hasNew
  }

  /// Delivers an output, and passes on what the subscriber requests with it.
  @inlinable
  @inline(__always)
  func deliver(_ output: Downstream.Input) {
    if let more = pass(output), more != .none { ask(for: more) }
  }

  @inlinable
  @inline(never)
  func enqueue<Source: CombinedSource>(_ value: Source.Value, from source: Source) {
    guard append((source, false), whenAdded: { source.queue(value) }) else { return }
    // Its first value is all that is wanted: what it brings behind that is ignored.
    if source.isTrigger {
      // Another publisher may bring a value within the cancel, which comes behind this one.
      drain.note(.blocked)
      source.cancel()
    }
    wake()
  }

  /// Accepts the end of one of the publishers.
  @usableFromInline
  package func didFinish(_ source: CombinedUpstream) {
    add((source, true))
  }

  /// Cancels every publisher, and fails behind the waiting values, unless the end was decided before.
  @usableFromInline
  package func fail(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard closeAll() else { return }
    // The last event before it may have been the end.
    waiting.withLock { if $0?.end == nil { $0?.end = completion } }
    wake()
  }

  package override func willCancel() { _ = closeAll() }

  /// Closes the queue, and then cancels the publishers in their order; returns whether the end was open.
  func closeAll() -> Bool {
    let isFirst = close()
    for source in sources { source.cancel() }
    return isFirst
  }

  package override func request(_ credit: Credit) {
    super.request(credit)
    if credit != .none, !isCancelled, !isOver { ask(for: credit) }
  }

  /// Requests more values from the publishers that follow the subscriber's demand.
  @usableFromInline
  func ask(for credit: Credit) {
    requested.withLock { $0 = $0 + credit }
    for source in sources where source.ownCredit == nil {
      let credit = owed(to: source)
      if credit != .none { source.request(credit) }
    }
  }

  /// Notes that a publisher has its subscription, and returns what to request from it.
  @usableFromInline
  func didAttach(_ source: CombinedUpstream) -> Credit {
    if let credit = source.ownCredit { return credit }
    requested.withLock { _ in source.given = source.given ?? Credit.none }
    return owed(to: source)
  }

  /// Counts what the subscriber has requested and the publisher was not asked for as asked, and returns it.
  private func owed(to source: CombinedUpstream) -> Credit {
    requested.withLock { requested in
      guard let given = source.given, !given.isUnlimited else { return .none }
      source.given = requested
      if requested.isUnlimited { return .unlimited }
      return Credit(rawValue: requested.rawValue - given.rawValue)
    }
  }

  /// Handles events and delivers outputs until nothing is left to do; the caller holds the drain.
  @inlinable
  func deliverCombined(isLimited: Bool) {
    runTurns(isLimited: isLimited, isBlocked: { isBlocked }) {
      deliverSome(atMost: BoundedDelivery.count)
    }
  }

  /// Returns whether it stopped at the number, so that more may be left to do.
  @inlinable
  func deliverSome(atMost limit: Int) -> Bool {
    var count = 0
    while !isCancelled, downstream != nil {
      guard count < limit else { return true }
      count &+= 1
      if mayBeComplete { finishIfComplete() }
      if credit == .none { credit = pending.take() }
      if hasNew, credit != .none, let output = combination.next(&hasNew) {
        deliver(output)
        continue
      }
      if handleEvent() { continue }
      if let end = endIfDue() { finish(end) }
      return false
    }
    return false
  }

  /// Handles the next event; returns false if none waits.
  @inlinable
  func handleEvent() -> Bool {
    let event = waiting.withLock { waiting -> (source: CombinedUpstream, isEnd: Bool)? in
      guard let known = waiting else { return nil }
      let event = known.items.popFirst()
      if let event, !event.isEnd { event.source.fetch() }
      isBlocked = known.isClosed
      return event
    }
    guard let event else { return false }
    if event.isEnd {
      event.source.hasFinished = true
      mayBeComplete = true
    } else {
      event.source.keepFetched()
      hasNew = true
      if event.source.isTrigger { mayBeComplete = true }
    }
    return true
  }

  /// Accepts the end if no value to come can make another output.
  ///
  /// It was decided by the event that was handled last. So nothing that was accepted behind that event counts, not
  /// even a failure.
  @inlinable
  func finishIfComplete() {
    let isComplete = combination.isComplete()
    mayBeComplete = !isComplete && combination.mayEndWithValue
    if isComplete { acceptEnd() }
  }

  @usableFromInline
  func acceptEnd() {
    _ = closeAll()
    let ignored = ValueQueue<(source: CombinedUpstream, isEnd: Bool)>()
    waiting.withLock { waiting in
      waiting?.items.swapValues(with: ignored)
      waiting?.end = .finished
    }
    for source in sources { source.releaseQueued() }
  }

  /// Returns the end behind the last event, unless an output waits for demand in front of it.
  @inlinable
  func endIfDue() -> Subscribers.Completion<Downstream.Failure>? {
    guard isBlocked else { return nil }
    let end = waiting.withLock { $0?.items.count == 0 ? $0?.end : nil }
    return end == nil || owesOutput ? nil : end
  }

  /// Whether an output waits for demand; asked only when every output that was requested is delivered.
  @inlinable var owesOutput: Bool { hasNew && combination.isReady() }

  package override func letGo() {
    // Closed first: nothing is queued any more, so the queued values belong to the holder of the drain.
    waiting.withLock { $0?.isClosed = true }
    for source in sources { source.releaseValues() }
    super.letGo()
  }
}
