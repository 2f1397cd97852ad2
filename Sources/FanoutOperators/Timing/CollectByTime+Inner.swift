// Invariant: the properties marked `@exclusivity(unchecked)` are reached only under the lock of `waiting`, except
// `boundary`, which only the arrival of the subscription and `receive(_:)` reach: a publisher never makes two of these
// calls at the same time.

public import FanoutCore
public import FanoutEngine

extension Publishers.CollectByTime {
  @_fixed_layout
  @usableFromInline
  package final class Inner<Downstream: Subscriber>: TimedSubscription<
    [Upstream.Output], Context, Downstream
  >,
  Subscriber
  where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
    @usableFromInline package typealias Input = Upstream.Output
    @usableFromInline package typealias Failure = Upstream.Failure

    /// The effect of a value on the array that is being filled.
    @usableFromInline
    enum Outcome: Sendable {
      case added
      case full
      /// It would be the first, and is not added without the end of its interval.
      case needsDate
      case dropped
    }

    @usableFromInline let interval: Context.SchedulerTimeType.Stride
    /// The number of values at which an array is complete, or nil.
    @usableFromInline let count: Int?
    /// The values that have come since the last array.
    @exclusivity(unchecked) @usableFromInline package var group: [Input] = []
    /// The values that the upstream was asked for and has not sent.
    @exclusivity(unchecked) @usableFromInline var asked = Credit.none
    /// An end of an interval; all others lie a multiple of the interval from it.
    @exclusivity(unchecked) @usableFromInline var boundary: Time

    @inlinable
    init(downstream: Downstream, parent: Publishers.CollectByTime<Upstream, Context>) {
      let parts = parent.strategy.parts
      interval = parts.interval
      count = parts.count
      boundary = parts.scheduler.now
      super.init(
        downstream: downstream, name: "CollectByTime",
        place: ScheduledPlace(parts.scheduler, parent.options),
        runOut: { unsafeDowncast($0, to: Inner.self).runOut(isLimited: $1) },
        delivers: { unsafeDowncast($0, to: Inner.self).deliverGroups() })
    }

    /// Begins the first interval.
    package override func didAttach() {
      if let now { boundary = now }
    }

    @inlinable
    package func receive(_ input: Input) -> Subscribers.Demand {
      switch add(input) {
      case .added, .dropped: break
      case .full: wake()
      case .needsDate: begin(with: input)
      }
      return .none
    }

    @inlinable
    func add(_ input: Input) -> Outcome {
      waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed else { return .dropped }
        if group.isEmpty, count != 1 { return .needsDate }
        group.append(input)
        if asked != .none { asked = asked.afterOne }
        guard group.count == count else { return .added }
        timer.stop()
        complete(known)
        return .full
      }
    }

    /// Adds the first value of an array, which is complete when its interval is over.
    @usableFromInline
    func begin(with input: Input) {
      guard let now else { return }
      let due = endOfInterval(after: now)
      let isFirst = waiting.withLock { waiting in
        guard let known = waiting, !known.isClosed else { return false }
        group.append(input)
        if asked != .none { asked = asked.afterOne }
        return timer.start(at: due)
      }
      if isFirst { scheduleTimer(for: due) }
    }

    /// Returns the end of the interval in which a time lies.
    ///
    /// Doubled steps lead over a long pause: a time cannot be divided. If the clock was set back by more than an
    /// interval, the intervals begin anew.
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
    @inlinable
    func complete(_ waiting: Waiting) {
      guard !group.isEmpty else { return }
      waiting.items.append(group)
      group = []
    }

    package override func timeIsUp(_ waiting: inout Waiting) -> [Input]? {
      complete(waiting)
      return nil
    }

    @usableFromInline
    package func receive(completion: Subscribers.Completion<Failure>) {
      guard closeAtEndOfUpstream() else { return }
      waiting.withLock { waiting in
        timer.stop()
        if let waiting { complete(waiting) }
      }
      deliverEnd(completion)
    }

    package override func request(_ credit: Credit) {
      noteRequest(credit)
      super.request(credit)
    }

    /// Requests the values that the requested arrays lack, without those that wait.
    @usableFromInline
    package override func didRequest(_ credit: Credit) {
      let more = waiting.withLock { waiting -> Credit in
        guard let waits = waiting?.items.count, !asked.isUnlimited else { return .none }
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

    @inlinable
    func deliverGroups() -> Bool {
      deliverWaiting(
        atMost: Self.valuesPerAction, whenTaken: { _ in noteTaken() }, { $0 },
        afterEach: { _, more in
          guard more != .none else { return }
          noteRequest(more)
          didRequest(more)
        })
    }

    package override func letGo() {
      let last = waiting.withLock { _ in
        defer { group = [] }
        return group
      }
      withExtendedLifetime(last) {}
      super.letGo()
    }
  }
}
