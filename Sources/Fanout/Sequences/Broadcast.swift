internal import FanoutEngine

/// A source of values for many loops: code sends, and each loop gets every value from where it came
/// in.
///
/// ![shared(replay:) makes a SharedSequence of an AsyncSequence, and share(replay:) a shared publisher of a publisher. A Broadcast has values for loops, and a publisher for sinks and operators.](doors)
///
/// It is for values that your code makes. To share a sequence that is there already, use its
/// `shared(replay:disconnect:restart:backlog:observer:priority:)`. A ``ReplaySubject`` is the same
/// for code that is written with publishers: it never waits, and has no backlog. See also
/// <doc:ShareAnAsyncSequence>.
///
/// - Starts: at the first value.
/// - Stops: at the end, or when it is released.
/// - A late loop gets: what is replayed, then every later value, then the end.
/// - Slow loop: loses nothing, or what the ``Backlog`` says.
/// - Memory: that of the replay, and what the slowest loop has not taken.
///
/// - Sending: ``yield(_:)-(Element)`` never waits. ``send(_:isolation:)-(Element,_)`` waits for
///   room under ``Backlog/WhenFull/wait``, and else never.
/// - Completion: comes behind every value that was accepted. Replay and end stay for loops that
///   come later.
/// - Concurrency: every member may be used from any thread and any actor, also inside `receive` of
///   one of its subscribers. Values of concurrent senders have one order, the same for all loops.
/// - Ownership: ``values`` and ``publisher`` do not retain it. When it is released, it finishes: a
///   loop does not wait for a source that is gone.
/// - Cost: O(sinks) a value, three short locks, no allocation.
///
/// ```swift
/// import Fanout
///
/// func talk(in chat: Broadcast<String, Never>) async {
///   var early = chat.values.makeAsyncIterator()
///   chat.yield("hello")
///   chat.yield("world")
///   var late = chat.values.makeAsyncIterator()
///   chat.finish()
///   while let line = await early.next() { print("early", line) }
///   while let line = await late.next() { print("late", line) }
/// }
///
/// await talk(in: Broadcast(replay: .last(1)))
/// // Prints:
/// // early hello
/// // early world
/// // late world
/// ```
public final class Broadcast<Element: Sendable, Failure: Error>: Sendable {
  @usableFromInline package let core: BroadcastCore<Element, Failure>

  /// Creates a source without loops.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late loop receives before later values.
  ///   - backlog: The policy for the values that wait for a loop, or nil if all of them do. With
  ///     ``Backlog/WhenFull/wait``, ``send(_:isolation:)-(Element,_)`` waits for the slowest. A
  ///     backlog that ``Backlog/WhenFull/rejoin`` limits traps under ``Replay/all``.
  ///   - observer: The observer of the subscribers, or nil. A broadcast has no connections.
  public init(
    replay: Replay<Element> = .none, backlog: Backlog<Element, Failure>? = nil,
    observer: (any SharingObserver)? = nil
  ) {
    core = BroadcastCore(replay, backlog, observer)
    noteCreation(of: self)
  }

  init(core: BroadcastCore<Element, Failure>) {
    self.core = core
    noteCreation(of: self)
  }

  deinit { core.end(.finished) }

  /// The values, for any number of loops.
  public var values: SharedSequence<Element, Failure> { SharedSequence(publisher) }

  /// The values, for sinks and operators.
  public var publisher: AnySharedPublisher<Element, Failure> {
    AnySharedPublisher { [core] in core.access }
  }

  /// Sends a value, and waits before that for room where the backlog waits.
  ///
  /// With ``Backlog/WhenFull/wait`` it waits until the value fits into the backlog of every loop
  /// and subscriber. Calls that wait are admitted in the order in which they began. The values of
  /// several tasks that are admitted together have no order among them. With any other backlog, and
  /// without one, it never waits.
  ///
  /// - Without loops and subscribers: it does not wait. The value goes into the replay, if there is
  ///   one.
  /// - End: after ``finish()`` or ``fail(_:)``, also if that comes during the wait, the value is
  ///   not sent, and the result says so.
  /// - Cancel: a task that is cancelled does not wait. If there is no room, the value is not sent,
  ///   and the result says so. If there is room, it is sent.
  /// - Concurrency: the value is delivered to sinks on this task's thread, or on one that is
  ///   already delivering (D4).
  /// - Cost: one allocation for a call that waits.
  ///
  /// Inside `receive` of a subscriber of this broadcast, don't wait for a task that sends: the task
  /// may be waiting for this very subscriber, and then neither goes on (D11). In the body of a
  /// loop over a broadcast with ``Backlog/WhenFull/wait``, don't call this method of the same
  /// broadcast: it may wait for room that only the next turn of this loop makes. There use
  /// ``yield(_:)-(Element)``, or send from another task.
  ///
  /// - Parameters:
  ///   - element: The value.
  ///   - actor: The actor on which the caller runs.
  /// - Returns: What became of the value.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// @MainActor func work(on jobs: Broadcast<Int, Never>) async {
  ///   var worker = jobs.values.makeAsyncIterator()
  ///   let sending = Task.immediate {
  ///     for job in 1...2 {
  ///       await jobs.send(job)
  ///       print("sent", job)
  ///     }
  ///     jobs.finish()
  ///   }
  ///   print("the sender waits")
  ///   var done: [Int] = []
  ///   while let job = await worker.next() { done.append(job) }
  ///   await sending.value
  ///   print("done", done)
  /// }
  ///
  /// await work(on: Broadcast(backlog: .size(1, whenFull: .wait)))
  /// // Prints:
  /// // sent 1
  /// // the sender waits
  /// // sent 2
  /// // done [1, 2]
  /// ```
  @discardableResult
  @inlinable
  public func send(
    _ element: Element, isolation actor: isolated (any Actor)? = #isolation
  ) async -> Sent { core.pass(element, await core.admit(isolation: actor)) }

  /// Sends a value at once.
  ///
  /// It never waits. Where the backlog waits and is full, the value waits beyond the limit; nothing
  /// is lost. It may overtake a ``send(_:isolation:)-(Element,_)`` that waits.
  ///
  /// - Without loops and subscribers: the value goes into the replay, if there is one, and the
  ///   result says that there are none.
  /// - End: after ``finish()`` or ``fail(_:)`` the value is not sent, and the result says so.
  /// - Concurrency: it may be called from any thread, also inside `receive`. The value is delivered
  ///   to sinks on this thread, or on one that is already delivering (D4).
  ///
  /// - Parameter element: The value.
  /// - Returns: What became of the value.
  @discardableResult
  @inlinable
  public func yield(_ element: Element) -> Sent { core.pass(element, core.admitNow()) }

  /// Returns whether any loop or subscriber would take a value; see
  /// ``SharedPublisher/hasSubscribers(matching:)``.
  ///
  /// - Parameter element: The value.
  /// - Returns: Whether the value would have a taker.
  public func hasSubscribers(matching element: Element) -> Bool {
    core.access.hub.hasReceiver(selecting: element)
  }

  /// Ends the values: each loop gets what it lacks, and then nil.
  ///
  /// Values that were accepted come before the end. If other threads are about to deliver such
  /// values, the last of them brings the end, and this method returns before that. A call of
  /// ``send(_:isolation:)-(Element,_)`` that waits returns without having sent. A second end does
  /// nothing.
  public func finish() { core.end(.finished) }

  /// Ends the values with a failure, which each loop throws once after what it lacks; else as
  /// ``finish()``.
  ///
  /// - Parameter failure: The failure.
  public func fail(_ failure: Failure) { core.end(.failure(failure)) }
}
