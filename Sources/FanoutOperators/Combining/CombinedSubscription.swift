// Invariant: only the holder of `drain` reaches the properties marked `@exclusivity(unchecked)`.

public import FanoutCore
package import FanoutEngine

/// The way in which an operator makes its outputs of what its publishers have brought.
///
/// The closures are formed where the types are known, so that they are specialised. The holder of
/// the drain calls them.
package struct Combination<Output> {
  /// Passes the next output on, if there is one; the flag says whether there may be one.
  ///
  /// The output is passed on, not returned, so that no optional of its type is made.
  let next: (_ hasNew: inout Bool, _ pass: (Output) -> Void) -> Void
  /// Returns whether there is an output.
  let isReady: () -> Bool
  /// Returns whether no value that is still to come can make another output; asked when a publisher
  /// has finished.
  let isComplete: () -> Bool
  /// Whether a value may be the last one that was missing.
  let mayEndWithValue: Bool
}

/// The subscription of the operators that combine the values of publishers of different types.
///
/// The events of all publishers have one order: that in which they were accepted. The holder of the
/// drain handles them one by one, and after each it delivers what has become complete and is
/// requested.
@usableFromInline
package final class CombinedSubscription<Output, Failure: Error>: QueuedSubscription<
  Never, (source: CombinedUpstream, isEnd: Bool), Output, Failure
>
{
  /// The publishers, in the order in which they are subscribed to.
  package let sources: [CombinedUpstream]
  let combination: Combination<Output>
  /// All that the subscriber has requested so far.
  let requested = Lock(Credit.none)
  /// Whether nothing is to be dropped; reached under the lock of `requested`.
  @exclusivity(unchecked) var disallowsDrops = false
  /// Whether there may be an output that was not delivered.
  @exclusivity(unchecked) var hasNew = false
  /// Whether `isComplete` has to be asked.
  @exclusivity(unchecked) var mayBeComplete = false

  /// Creates a subscription to the specified publishers, with what makes a `Combination`, and gives
  /// it to the subscriber.
  @usableFromInline
  package init(
    downstream: ErasedSubscriber<Output, Failure>, name: StaticString, sources: [CombinedUpstream],
    next: @escaping (_ hasNew: inout Bool, _ pass: (Output) -> Void) -> Void,
    isReady: @escaping () -> Bool, isComplete: @escaping () -> Bool, mayEndWithValue: Bool = false
  ) {
    self.sources = sources
    combination = Combination(
      next: next, isReady: isReady, isComplete: isComplete, mayEndWithValue: mayEndWithValue)
    super.init(downstream: downstream, name: name)
    begin()
  }

  /// Subscribes to one of the publishers, unless the end was decided before.
  @inlinable
  package func join<Source: Publisher>(
    _ publisher: Source, as source: CombinedValues<Source.Output>
  ) {
    if let subscriber = makeSubscriber(of: source, failure: Source.Failure.self) {
      publisher.receive(subscriber: subscriber)
    }
  }

  @usableFromInline
  func makeSubscriber<Value, OtherFailure>(
    of source: CombinedValues<Value>, failure: OtherFailure.Type
  ) -> CombinedSubscriber<Value, OtherFailure, Output, Failure>? {
    source.isClosed ? nil : CombinedSubscriber(parent: self, source: source)
  }

  /// Accepts a value of one of the publishers, and delivers what it completes.
  ///
  /// If no thread delivers and the queue is clear, it needs no place in the queue, and no lock.
  @inline(__always)
  func accept<Value>(_ value: Value, from source: CombinedValues<Value>) {
    guard !source.isTrigger, drain.isIdle, drain.tryEnter() else {
      return enqueue(value, from: source)
    }
    source.keep(value)
    hasNew = true
    // Asked behind `keep`: the release of the value before may have cancelled.
    if !mayBeComplete, !isCancelled, deliverOutput(), drain.tryLeave() { return }
    runOut(isLimited: false)
  }

  /// Delivers the output that a value has completed; returns whether no other is left that was
  /// requested.
  @inline(__always)
  func deliverOutput() -> Bool {
    if credit == .none { credit = pending.take() }
    guard credit != .none else { return true }
    combination.next(&hasNew) { deliver($0) }
    return !hasNew
  }

  /// Delivers an output, and passes on what the subscriber requests with it.
  @inline(__always)
  func deliver(_ output: Output) {
    if let more = pass(output), more != .none { ask(for: more) }
  }

  @inline(never)
  func enqueue<Value>(_ value: Value, from source: CombinedValues<Value>) {
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
  package func didFinish(_ source: CombinedUpstream) {
    add((source, true))
  }

  /// Cancels every publisher, and fails behind the waiting values, unless the end was decided
  /// before.
  package func fail(_ completion: Subscribers.Completion<Failure>) {
    guard closeAll() else { return }
    // The last event before it may have been the end.
    let isFirst = state.withLock { !$0.hasEnd }
    if isFirst { deliverEnd(completion) } else { wake() }
  }

  package override func willCancel() { _ = closeAll() }

  /// Closes the queue, and then cancels the publishers in their order; returns whether the end was
  /// open.
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
  func ask(for credit: Credit) {
    requested.withLock { $0 = $0 + credit }
    for source in sources where source.ownCredit == nil {
      let credit = owed(to: source)
      if credit != .none { source.request(credit) }
    }
  }

  package override func disallowDrops() -> Bool {
    requested.withLock { _ in disallowsDrops = true }
    var losesValues = false
    for source in sources where source.ownCredit == nil && source.disallowDrops() {
      if source.replacesValues {
        losesValues = true
      } else {
        let isAsked = requested.withLock { _ in
          defer { source.given = source.given.map { _ in .unlimited } }
          return source.given?.isUnlimited ?? true
        }
        if !isAsked { source.request(.unlimited) }
      }
    }
    return losesValues
  }

  /// Notes that a publisher has its subscription, and returns what to request from it.
  func didAttach(_ source: CombinedUpstream) -> Credit {
    if let credit = source.ownCredit { return credit }
    let isToDropNone = requested.withLock { _ in
      source.given = source.given ?? Credit.none
      return disallowsDrops
    }
    guard isToDropNone, source.disallowDrops() else { return owed(to: source) }
    let isFirst = requested.withLock { requested in
      defer { source.given = .unlimited }
      return source.given?.isUnlimited != true
    }
    // Its values would replace others that were not requested. The caller asks this one; the others
    // are asked here.
    if source.replacesValues { request(Credit.unlimited) }
    return isFirst ? .unlimited : .none
  }

  /// Counts what the subscriber has requested and the publisher was not asked for as asked, and
  /// returns it.
  private func owed(to source: CombinedUpstream) -> Credit {
    requested.withLock { requested in
      guard let given = source.given, !given.isUnlimited else { return .none }
      source.given = requested
      if requested.isUnlimited { return .unlimited }
      return Credit(rawValue: requested.rawValue - given.rawValue)
    }
  }

  /// Handles events and delivers outputs until nothing is left to do; the caller holds the drain.
  package override func runOut(isLimited: Bool) {
    runTurns(isLimited: isLimited, isBlocked: { isBlocked }) {
      deliverSome(atMost: BoundedDelivery.count)
    }
  }

  /// Returns whether it stopped at the number, so that more may be left to do.
  func deliverSome(atMost limit: Int) -> Bool {
    var count = 0
    while !isCancelled, receiver != nil {
      guard count < limit else { return true }
      count &+= 1
      if mayBeComplete { finishIfComplete() }
      if credit == .none { credit = pending.take() }
      if hasNew, credit != .none {
        var isMade = false
        combination.next(&hasNew) { output in
          isMade = true
          deliver(output)
        }
        if isMade { continue }
      }
      if handleEvent() { continue }
      if isEndDue { finish() }
      return false
    }
    return false
  }

  /// Handles the next event; returns false if none waits.
  func handleEvent() -> Bool {
    let event = state.withLock { state -> (source: CombinedUpstream, isEnd: Bool)? in
      let event = items.popFirst()
      if let event, !event.isEnd { event.source.fetch() }
      isBlocked = state.isClosed
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
  /// It was decided by the event that was handled last. So nothing that was accepted behind that
  /// event counts, not even a failure.
  func finishIfComplete() {
    let isComplete = combination.isComplete()
    mayBeComplete = !isComplete && combination.mayEndWithValue
    if isComplete { acceptEnd() }
  }

  func acceptEnd() {
    _ = closeAll()
    let ignored = state.withLock { state -> AnyObject? in
      guard !state.isReleased else { return nil }
      end = .finished
      state.hasEnd = true
      return items.takeAll()
    }
    withExtendedLifetime(ignored) {}
    for source in sources { source.releaseQueued() }
  }

  /// Whether the end stands behind the last event, and no output waits for demand in front of it.
  var isEndDue: Bool {
    guard isBlocked else { return false }
    let isLast = state.withLock { $0.hasEnd && items.count == 0 }
    return isLast && !(hasNew && combination.isReady())
  }

  package override func letGo() {
    // Closed first: nothing is queued any more, so the queued values belong to the holder of the
    // drain.
    state.withLock { $0.isClosed = true }
    for source in sources { source.releaseValues() }
    super.letGo()
  }
}
