internal import FanoutEngine

extension AsyncSequence where Self: Sendable, Element: Sendable {
  /// Shares one iteration of this sequence among many loops, also among such that come late.
  ///
  /// ![C leaves, and A goes on. D joins, gets the last value, 2, and then 3. When the result is released and D has left, A is cancelled.](when-released)
  ///
  /// - Starts: with the first loop or subscriber.
  /// - Stops: as `disconnect` says.
  /// - A late loop gets: its replay, then every later value.
  /// - Slow loop: loses nothing, or what `backlog` says.
  /// - Memory: that of the replay, and what the slowest loop has not taken.
  ///
  /// By default the iteration goes on as long as the result or a loop over it is retained, with or
  /// without loops. That is right for a sequence that can be iterated once, such as an
  /// `AsyncStream`: if its iteration were cancelled with the last loop, every later loop would get
  /// nothing but the end. With ``Disconnect/whenIdle`` the iteration is cancelled with the last
  /// loop, and the next loop begins a new one.
  ///
  /// The iteration runs in a task of its own. It has neither the actor nor the priority nor the
  /// task-local values of the loop that happens to be the first. It takes values as fast as the
  /// sequence gives them, unless `backlog` waits for the slowest loop. See also
  /// <doc:ShareAnAsyncSequence>, and for the policies <doc:LateSubscribers> and
  /// <doc:SlowSubscribers>.
  ///
  /// - Completion: the end reaches every loop after the values that it lacks. A loop that comes
  ///   later gets the replay and the end, unless `restart` says otherwise. A failure is thrown once
  ///   in each loop, with its type.
  /// - Cancel: a loop that is cancelled leaves, and the others notice nothing. When nothing retains
  ///   the result and its loops, the task of the iteration is cancelled.
  /// - Concurrency: values are delivered to sinks in the task of the iteration; a loop gets them
  ///   where it runs.
  /// - Ownership: the result retains this sequence.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late loop receives before later values. ``Replay/none``, the
  ///     default: nothing. ``Replay/latest``: the last value. `.last(10)`: the last ten.
  ///   - disconnect: The moment at which the iteration is cancelled. ``Disconnect/whenReleased`` is
  ///     the default. `.whenIdle(for: .seconds(5))`: when there has been no loop for five seconds.
  ///   - restart: The ends after which the next loop begins a new iteration. By default an end
  ///     stays.
  ///   - backlog: The policy for the values that wait for a loop. nil, the default: all of them
  ///     wait. `.size(64, whenFull: .dropOldest)`: the newest 64.
  ///   - observer: The observer of the connections and the subscribers, or nil.
  ///   - priority: The priority of the task that iterates, or nil for the default one. It is not
  ///     that of a loop.
  /// - Returns: A sequence for any number of loops, which can be stored and sent to other actors.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let (messages, feed) = AsyncStream.makeStream(of: String.self)
  /// let chat = messages.shared(replay: .latest)
  /// feed.yield("hello")
  /// for await message in chat {
  ///   print("early", message)
  ///   break
  /// }
  /// // This one comes late, and gets the last message first.
  /// for await message in chat {
  ///   print("late", message)
  ///   if message == "bye" { break }
  ///   feed.yield("bye")
  /// }
  /// // Prints:
  /// // early hello
  /// // late hello
  /// // late bye
  /// ```
  public func shared(
    replay: Replay<Element> = .none, disconnect: Disconnect = .whenReleased, restart: Restart = [],
    backlog: Backlog<Element, Failure>? = nil, observer: (any SharingObserver)? = nil,
    priority: TaskPriority? = nil
  ) -> SharedSequence<Element, Failure> {
    SharedSequence(
      Publishers.Async(sequence: self, task: .own(priority))
        .share(
          replay: replay, disconnect: disconnect, restart: restart, backlog: backlog,
          observer: observer))
  }
}
