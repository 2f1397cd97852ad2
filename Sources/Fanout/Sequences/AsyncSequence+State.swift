internal import FanoutEngine

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Iterates this sequence at once, and keeps its newest value for reading.
  ///
  /// ![C joins at once and gets 0, the initial value, then each sum. D joins later, gets 5, and then 6.](share-initial)
  ///
  /// It is ``Publisher/share(replay:initial:)`` for a sequence. When the result and the
  /// subscriptions to it have been released, the iteration is cancelled. See also
  /// <doc:ShareInFull#A-state>.
  ///
  /// - Starts: at once.
  /// - Stops: when it is released.
  /// - A late subscriber gets: the current value, then what comes next.
  /// - A slow subscriber: gets the newest on its next request.
  /// - Memory: one value.
  ///
  /// - Concurrency: the iteration runs in a task of its own, which has neither the actor nor the
  ///   task-local values of the caller. ``CurrentValue/value`` may be read from any thread.
  /// - Cost: of a value, a lock and a delivery; of the result, a task.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber receives before later values: `.latest`.
  ///   - initial: The value until this sequence gives its first one.
  ///   - priority: The priority of the task that iterates, or nil for the default one.
  /// - Returns: A publisher with a value that can be read at any time.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let (levels, feed) = AsyncStream.makeStream(of: Int.self)
  /// let battery = levels.shared(replay: .latest, initial: 100)
  /// for await level in battery.values {
  ///   print("early", level)
  ///   if level == 100 { feed.yield(99) } else { break }
  /// }
  /// print("now", battery.value)
  /// for await level in battery.values.prefix(1) { print("late", level) }
  /// // Prints:
  /// // early 100
  /// // early 99
  /// // now 99
  /// // late 99
  /// ```
  public func shared(
    replay: CurrentValue<Element, Failure>.LatestReplay, initial: Element,
    priority: TaskPriority? = nil
  ) -> CurrentValue<Element, Failure> {
    Publishers.Async(sequence: self, task: .own(priority)).share(replay: replay, initial: initial)
  }

  /// Shares a state that the values of this sequence change: each loop gets a snapshot of the
  /// state, then every change.
  ///
  /// ![C joins first: it gets a snapshot, 0, and then +2 and +3. D joins later: it gets a snapshot, 5. Both get +1.](share-reducing)
  ///
  /// It is ``Publisher/share(reducingInto:disconnect:restart:backlog:observer:_:)`` for a sequence,
  /// and says which ``Backlog`` fits. The state begins with the first loop. By default it goes on
  /// without loops as long as the result or a loop over it is retained; when nothing retains them,
  /// the state is gone. For a state that your own code changes, use a ``Broadcast`` that is made
  /// with `Broadcast(reducingInto:)`, whose ``Broadcast/state`` can be read. See also
  /// <doc:ShareInFull#A-state>.
  ///
  /// - Starts: with the first loop or subscriber.
  /// - Stops: as `disconnect` says.
  /// - A late loop gets: a snapshot, then changes.
  /// - Slow loop: loses nothing, or as `backlog` says.
  /// - Memory: the state, and what a slow loop lacks.
  ///
  /// - Concurrency: the iteration runs in a task of its own. That task changes the state, with no
  ///   lock held.
  /// - Cost: one call of `update` a value. A snapshot is a copy of the state.
  ///
  /// - Parameters:
  ///   - initial: The state with which each iteration begins.
  ///   - disconnect: The moment at which the iteration is cancelled.
  ///   - restart: The ends after which the next loop begins a new iteration. By default an end
  ///     stays.
  ///   - backlog: The policy for the events that wait for a loop, or nil if it may lag without a
  ///     limit.
  ///   - observer: The observer of the connections and the subscribers, or nil.
  ///   - priority: The priority of the task that iterates, or nil for the default one.
  ///   - update: The closure that applies a value to the state.
  /// - Returns: A sequence of snapshots and changes.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let (votes, feed) = AsyncStream.makeStream(of: String.self)
  /// let counts = votes.shared(
  ///   reducingInto: [String: Int]()
  /// ) { counts, vote in counts[vote, default: 0] += 1 }
  /// feed.yield("tea")
  /// for await event in counts {
  ///   print("early", event)
  ///   if case .change = event { break }
  /// }
  /// print("late", await counts.firstValue() ?? .snapshot([:]))
  /// // Prints:
  /// // early snapshot([:])
  /// // early change("tea")
  /// // late snapshot(["tea": 1])
  /// ```
  @preconcurrency
  public func shared<State: Sendable>(
    reducingInto initial: State, disconnect: Disconnect = .whenReleased, restart: Restart = [],
    backlog: Backlog<StateUpdate<State, Element>, Failure>? = nil,
    observer: (any SharingObserver)? = nil, priority: TaskPriority? = nil,
    _ update: @escaping @Sendable (inout State, Element) -> Void
  ) -> SharedSequence<StateUpdate<State, Element>, Failure> {
    SharedSequence(
      Publishers.Async(sequence: self, task: .own(priority))
        .share(
          reducingInto: initial, disconnect: disconnect, restart: restart, backlog: backlog,
          observer: observer, update))
  }
}
