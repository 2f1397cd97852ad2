internal import FanoutEngine
public import FanoutOperators

extension Replay {
  /// Creates a policy that replays the last keyframe and all values that follow it, as long as they
  /// stay within a limit.
  ///
  /// ![1 and 5 are keyframes, and the limit is two values. D joins after 3, and waits. It gets 5 and 6, as C does.](share-keyframe-limit)
  ///
  /// When the values since the last keyframe exceed the limit, they are released, and a newcomer
  /// waits: it receives nothing until the next keyframe, and then everything. Subscribers that have
  /// already started are not affected. So every subscriber begins at a keyframe, or at the
  /// beginning if you allow that. See also
  /// <doc:LateSubscribers#Everything-since-the-last-keyframe>.
  ///
  /// Cost: O(1) a value. A value lives until the next keyframe or until the limit is exceeded, and
  /// as long as a slow subscriber still lacks it.
  ///
  /// - Parameters:
  ///   - limit: The limit for the values that a newcomer receives. By default there is none. Their
  ///     age is that of the first of them.
  ///   - fromBeginning: Whether a subscriber can start at the first value of a connection, whatever
  ///     that is. If you pass false, every subscriber waits for the first keyframe, and the values
  ///     before it are delivered to none.
  ///   - isKeyframe: The closure that decides whether a value is a keyframe. The delivering thread
  ///     calls it once a value, with no lock held. While a `for await` loop has a backlog that
  ///     rejoins, the thread that sends may call it once more, before the value is accepted.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let camera = PassthroughSubject<String, Never>()
  /// let shared = camera.share(
  ///   replay: .sinceKeyframe(
  ///     limit: .count(2), fromBeginning: false
  ///   ) { $0.hasPrefix("key") })
  /// let early = shared.sink { print("early", $0) }
  /// for frame in ["p 1", "key 2", "p 3", "p 4"] {
  ///   camera.send(frame)
  /// }
  /// let late = shared.sink { print("late", $0) }
  /// for frame in ["p 5", "key 6"] { camera.send(frame) }
  /// // Prints:
  /// // early key 2
  /// // early p 3
  /// // early p 4
  /// // early p 5
  /// // early key 6
  /// // late key 6
  /// ```
  @preconcurrency
  public static func sinceKeyframe(
    limit: Limit<Value> = .unlimited, fromBeginning: Bool = true,
    where isKeyframe: @escaping @Sendable (Value) -> Bool
  ) -> Self {
    Replay(
      memory: .sinceKeyframe(
        KeyframeRules(
          isKeyframe: isKeyframe, count: limit.count, limits: limit.measured,
          fromBeginning: fromBeginning)))
  }

  /// Creates a policy that keeps what comes while no subscriber is attached; the first one takes
  /// it.
  ///
  /// ![A sends 1 and 2. C joins and gets both at once. D joins and gets nothing of them. Both get 3.](share-undelivered)
  ///
  /// A subscriber that comes while another one is attached, or after one has taken the values, gets
  /// only what comes next. Use it for events that must be handled, once: with a ``Disconnect`` or a
  /// connection by hand that runs on without subscribers.
  ///
  /// The values belong to the first subscriber when it joins. If it cancels before it has taken
  /// them, they are lost. For values that survive that, keep a history, and let each subscriber
  /// continue behind the last value that it has handled: ``Join/after(where:ifUnknown:)`` or
  /// ``SharedSequence/joining(after:from:ifNil:backlog:label:)``. See also
  /// <doc:LateSubscribers#What-came-without-a-subscriber>.
  ///
  /// Cost: O(1) a value.
  ///
  /// - Parameter limit: The greatest number of values that are kept, 1 or more; the oldest are
  ///   dropped. A smaller number traps.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let messages = ReplaySubject<String, Never>(.undelivered(100))
  /// messages.send("hello")
  /// messages.send("anybody there?")
  /// let early = messages.sink { print("early", $0) }
  /// let late = messages.sink { print("late", $0) }
  /// messages.send("at last")
  /// // Prints:
  /// // early hello
  /// // early anybody there?
  /// // early at last
  /// // late at last
  /// ```
  public static func undelivered(_ limit: Int) -> Self {
    trap(
      unless: limit > 0,
      "Replay.undelivered(\(limit)): nothing would be kept; pass 1 or more, or use .none.")
    return Replay(memory: .undelivered(limit))
  }

  /// Returns this policy with the newest header of each key in front of what it replays.
  ///
  /// ![A sends a header, H, and then 1 and 2. D joins. It gets H and 2 at once, then 3, as C does.](share-headed)
  ///
  /// A header is a value that later ones cannot be understood without: the parameter sets of a
  /// video, the first line of a table. A newcomer gets the headers from before the first value of
  /// its replay, in the order of their arrival, and then the replay. A subscriber that rejoins gets
  /// those that it has missed.
  ///
  /// ``custom(_:)`` and ``latest(by:)`` keep a cache. Under these all headers go first, in front of
  /// the cache, and a subscriber that rejoins gets none. With headers, ``none`` and ``latest`` lose
  /// nothing for a slow subscriber: what it lacks stays in memory. Pass a ``Backlog`` to limit
  /// that. A second call replaces the first.
  ///
  /// Cost: the key of each value is looked up once, and again for each subscriber that joins with a
  /// backlog, a label, ``Join/last(_:)`` or ``Join/after(where:ifUnknown:)``; such a one gets a
  /// copy of the replay. One value is held for each key, as long as the connection lives.
  ///
  /// - Parameter key: The closure that returns the key of a header, and nil for any other value.
  ///   The delivering thread calls it with no lock held.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let lines = PassthroughSubject<String, Never>()
  /// let shared = lines.share(
  ///   replay: .last(1).headed {
  ///     $0.hasPrefix("#") ? "columns" : nil
  ///   })
  /// let keeping = shared.sink { _ in }
  /// for line in ["# name, price", "tea, 1", "milk, 2"] {
  ///   lines.send(line)
  /// }
  /// let late = shared.sink { print($0) }
  /// // Prints:
  /// // # name, price
  /// // milk, 2
  /// ```
  @preconcurrency
  public func headed<Key: Hashable & SendableMetatype>(by key: @escaping @Sendable (Value) -> Key?)
    -> Self
  {
    headed {
      let headers = HeldCache(NewestHeaders<Key, Value>())
      return HeaderCache(
        record: { value, place in
          guard let key = key(value) else { return false }
          _ = headers.change { $0.record(value, key: key, at: place) }
          return true
        }, contents: { place in headers.read(or: []) { $0.contents(from: place) } })
    }
  }

  func headed(_ makeHeaders: @escaping () -> HeaderCache<Value>) -> Self {
    Replay(memory: memory.headed(makeHeaders))
  }

  /// Returns this policy with requests for a start: while a subscriber waits for a keyframe, the
  /// source is asked for one.
  ///
  /// ![D joins after 3, and the share requests a keyframe, and again 1 s later. Then keyframe 4 comes, and D gets it.](share-requesting)
  ///
  /// The closure is called at most once in an interval, however many subscribers come and go, also
  /// across connections. When the first subscriber begins to wait, the call comes at once if the
  /// last one was at least an interval ago. Otherwise it comes when the interval is over, if a
  /// subscriber still waits. As long as one waits, it is called again after each interval. A
  /// subscriber whose backlog rejoins (``Backlog/WhenFull/rejoin``) waits too while it has more
  /// than its limit and no keyframe lies ahead (B4). A shared publisher calls the closure only
  /// while it is connected, a ``ReplaySubject`` until its end. Without keyframes it is never
  /// called. See also <doc:LateSubscribers#Everything-since-the-last-keyframe>.
  ///
  /// - Parameters:
  ///   - interval: The time between two requests, more than 0. Another one traps.
  ///   - scheduler: The scheduler that measures the time and calls the closure. It must let the
  ///     time pass, so ``ImmediateScheduler`` is no choice. It has at most one action at a time,
  ///     which retains nothing of the shared publisher but the closure, for at most one interval
  ///     longer than a subscriber waits.
  ///   - request: The closure that asks the source for a keyframe. The delivering thread makes a
  ///     call that comes at once, with no lock held; the scheduler makes the others.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let camera = PassthroughSubject<String, Never>()
  /// let shared = camera.share(
  ///   replay: .sinceKeyframe(limit: .count(1)) { $0 == "key" }
  ///     .requesting(every: .seconds(1), scheduler: clock) {
  ///       print("a keyframe, please")
  ///     })
  /// let early = shared.sink { _ in }
  /// for frame in ["key", "p"] { camera.send(frame) }
  /// let late = shared.sink { print("late", $0) }
  /// clock.advance(by: .seconds(1))
  /// camera.send("key")
  /// clock.advance(by: .seconds(1))
  /// // Prints:
  /// // a keyframe, please
  /// // a keyframe, please
  /// // late key
  /// ```
  @preconcurrency
  public func requesting<Context: Scheduler & Sendable>(
    every interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    _ request: @escaping @Sendable () -> Void
  ) -> Self where Context.SchedulerTimeType.Stride: Sendable {
    trap(
      unless: interval > 0,
      "Replay.requesting(every: \(interval)): the time between two requests must be more than 0.")
    return Replay(
      memory: memory.requesting {
        StartRequests(request: request) { action in
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), tolerance: scheduler.minimumTolerance,
            options: nil, action)
        }
      })
  }

  /// Returns this policy with requests for a start, with the time of a clock.
  ///
  /// It is ``requesting(every:scheduler:_:)`` on a ``ClockScheduler``: a task on the cooperative
  /// pool calls the closure, except for the first time.
  ///
  /// - Parameters:
  ///   - interval: The time between two requests, more than 0. Another one traps.
  ///   - clock: The clock that measures the time.
  ///   - request: The closure that asks the source for a keyframe.
  /// - Returns: The policy.
  @preconcurrency
  public func requesting<C: Clock>(
    every interval: Duration, clock: C = ContinuousClock(),
    _ request: @escaping @Sendable () -> Void
  ) -> Self where C.Duration == Duration {
    requesting(every: ClockInterval(interval), scheduler: clock.scheduler, request)
  }
}
