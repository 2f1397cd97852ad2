// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of
// `state`, except `boundary`, which only the arrival of the subscription and `receive(_:)` reach: a
// publisher never makes two of these calls at the same time.

public import FanoutCore
package import FanoutEngine

/// The effect of a value on the array that is being filled.
private enum Outcome: Sendable {
  case added
  case full
  /// It would be the first, and is not added without the end of its interval.
  case needsDate
  case dropped
}

extension Publishers.CollectByTime {
  /// Returns the subscriber to the upstream.
  @usableFromInline
  func makeInner(
    _ downstream: ErasedSubscriber<Output, Failure>, _ place: TimedPlace<Context.SchedulerTimeType>
  ) -> SubscribedSource<Upstream.Output, Failure> {
    Inner(downstream: downstream, place: place, parent: self)
  }

  package final class Inner: TimedSubscription<
    Upstream.Output, [Upstream.Output], Upstream.Failure, Context.SchedulerTimeType
  >
  {
    package typealias Time = Context.SchedulerTimeType

    let interval: Time.Stride
    /// The number of values at which an array is complete, or nil.
    let count: Int?
    /// The values that have come since the last array.
    @exclusivity(unchecked) package private(set) var group = ValueGroup<Upstream.Output>()
    /// The values that the upstream was asked for and has not sent.
    @exclusivity(unchecked) var asked = Credit.none
    /// An end of an interval; all others lie a multiple of the interval from it.
    @exclusivity(unchecked) var boundary: Time

    init(
      downstream: ErasedSubscriber<Output, Failure>, place: TimedPlace<Time>,
      parent: Publishers.CollectByTime<Upstream, Context>
    ) {
      (interval, count) = parent.strategy.parts
      boundary = place.now()
      super.init(downstream: downstream, name: "CollectByTime", place: place)
    }

    deinit { group.free() }

    /// Begins the first interval.
    package override func didAttach() {
      if let readTime { boundary = readTime() }
    }

    package override func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      switch add(input) {
      case .added, .dropped: break
      case .full: wake()
      case .needsDate: begin(with: input)
      }
      return .none
    }

    private func add(_ input: Upstream.Output) -> Outcome {
      state.withLock { state in
        guard !state.isClosed else { return .dropped }
        if group.count == 0, count != 1 { return .needsDate }
        append(input)
        guard group.count == count else { return .added }
        timer.stop()
        complete()
        return .full
      }
    }

    /// Adds the first value of an array, which is complete when its interval is over.
    private func begin(with input: Upstream.Output) {
      guard let readTime else { return }
      let due = endOfInterval(after: readTime())
      let isFirst = state.withLock { state in
        guard !state.isClosed else { return false }
        append(input)
        return timer.start(at: due)
      }
      if isFirst { scheduleTimer() }
    }

    /// Adds a value; the caller holds the lock.
    private func append(_ input: Upstream.Output) {
      group.append(input)
      if asked != .none { asked = asked.afterOne }
    }

    /// Returns the end of the interval in which a time lies.
    ///
    /// Doubled steps lead over a long pause: a time cannot be divided. If the clock was set back by
    /// more than an interval, the intervals begin anew.
    private func endOfInterval(after now: Time) -> Time {
      guard interval > .zero else { return now }
      var rest = boundary.distance(to: now)
      if rest < .zero {
        // It is the end of the interval, unless that is further off than one can be.
        if rest + interval < .zero { boundary = now.advanced(by: interval) }
        return boundary
      }
      var steps = [interval]
      while let step = steps.last, step <= rest - step { steps.append(step + step) }
      for step in steps.reversed() where step <= rest {
        boundary = boundary.advanced(by: step)
        rest -= step
      }
      boundary = boundary.advanced(by: interval)
      return boundary
    }

    /// Moves the array into the queue; the caller holds the lock.
    private func complete() {
      if group.count > 0 { items.append(group.takeAll()) }
    }

    package override func timeIsUp(
      _ state: inout QueueState, _ replaced: UnsafeMutablePointer<Output>
    ) -> Bool {
      complete()
      return false
    }

    package override func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      state.withLock { state in
        timer.stop()
        if !state.isReleased { complete() }
      }
      deliverEnd(completion)
    }

    package override func request(_ credit: Credit) {
      noteRequest(credit)
      super.request(credit)
    }

    /// Requests the values that the requested arrays lack, without those that wait.
    package override func didRequest(_ credit: Credit) {
      let more = state.withLock { state -> Credit in
        guard !state.isReleased, !asked.isUnlimited else { return .none }
        let waits = items.count
        let open = requested.covers(waits) ? requested.rawValue - UInt(waits) : 0
        let limit = count.map { open.multipliedReportingOverflow(by: UInt($0)) }
        guard let limit, !requested.isUnlimited, !limit.overflow else {
          asked = .unlimited
          return .unlimited
        }
        let known = asked.rawValue + UInt(group.count)
        guard limit.partialValue > known else { return .none }
        let more = Credit(rawValue: limit.partialValue - known)
        asked = asked + more
        return more
      }
      if more != .none { stage.request(more) }
    }

    package override func deliverSome(after notes: Drain.Note) -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, whenTaken: { _ in noteTaken() },
        afterEach: { more in
          guard more != .none else { return }
          noteRequest(more)
          didRequest(more)
        })
    }

    package override func letGo() {
      let last = state.withLock { state in
        state.isClosed = true
        defer { group = ValueGroup() }
        return group
      }
      last.free()
      super.letGo()
    }
  }
}
