// `@unchecked Sendable` invariant: the stored properties are constants; the closures that they can
// hold were passed in as `@Sendable`.

internal import FanoutEngine

/// A policy for the values that wait for a subscriber of a shared publisher.
///
/// A value waits if the subscriber has not asked for it yet. Each subscriber has a backlog of its
/// own, so a slow subscriber changes nothing for the others. Only ``WhenFull/wait`` is different:
/// there the slowest subscriber sets the pace of the upstream.
///
/// ![Two values may wait, and a slow subscriber asks three times. Under .wait the producer sends 1, 2 and 3, waits for room, and then sends 4 and 5. Nothing is lost. Under .dropOldest it sends 1 to 6 at once. The subscriber gets 1, 5 and 6, and 2, 3 and 4 are lost.](wait-and-drop)
///
/// | policy | a slow subscriber | the upstream |
/// | --- | --- | --- |
/// | ``unbounded`` | loses nothing | runs on |
/// | ``WhenFull/dropOldest`` | keeps the newest values | runs on |
/// | ``WhenFull/dropNewest`` | keeps the oldest values, takes new ones if there is room | runs on |
/// | ``WhenFull/customError(_:)`` | gets what waits, then fails | runs on |
/// | ``WhenFull/rejoin`` | goes on where a newcomer would start | runs on |
/// | ``WhenFull/conflate(by:)`` | gets the newest value of each key | runs on |
/// | ``WhenFull/wait`` | loses nothing | waits for it; a subject can't |
/// | ``WhenFull/wait(atMost:clock:then:)`` | as `wait`, if it is in time | waits so long at most |
///
/// Beside the replay, memory holds for slow subscribers:
///
/// - ``unbounded``: all that the slowest one lacks, once for all.
/// - ``WhenFull/dropOldest``: at most the limit, and the rest of its replay.
/// - ``WhenFull/dropNewest`` and ``WhenFull/customError(_:)``: the same, for each slow subscriber.
/// - ``WhenFull/rejoin``: at most the limit, or all that it lacks as long as no start lies ahead.
/// - ``WhenFull/conflate(by:)``: the limit, or one value for each key.
/// - ``WhenFull/wait``: at most the limit, if the upstream respects demand.
/// - ``WhenFull/wait(atMost:clock:then:)``: as its second treatment says.
///
/// ``size(_:whenFull:)`` limits the number of values; ``limit(_:whenFull:)`` limits it, what they
/// cost together, their age, or several of these.
///
/// A newcomer gets its replay in full. The part that it has not requested yet does not count
/// against the limit, and no backlog drops it. Only with ``WhenFull/rejoin`` a newer start takes
/// its place.
///
/// A sink takes every value, so nothing waits for it. A shared publisher with a backlog asks for
/// everything when it connects, and one with ``WhenFull/wait`` for what there is room for.
/// <doc:SlowSubscribers> says which backlog fits.
///
/// Without a backlog the ``Replay`` decides:
///
/// ![A sends 1 to 4. A subscriber asks three times for one value. Behind share() it gets 1 and 4, under .latest 1, 3 and 4, under .all 1, 2 and 3, and 4 waits.](slow)
///
/// ```swift
/// import Fanout
/// import FanoutTestSupport
///
/// let source = PassthroughSubject<Int, Never>()
/// let shared = source.share(backlog: .size(2, whenFull: .dropOldest))
/// let fast = shared.sink { print("fast", $0) }
/// let slow = TestSubscriber<Int, Never>(initialDemand: .none)
/// shared.subscribe(slow)
/// for number in 1...4 { source.send(number) }
/// slow.request(.unlimited)
/// print("slow", slow.values)
/// // Prints:
/// // fast 1
/// // fast 2
/// // fast 3
/// // fast 4
/// // slow [3, 4]
/// ```
public struct Backlog<Value, Failure: Error>: @unchecked Sendable {
  let policy: BacklogPolicy<Value, Subscribers.Completion<Failure>>

  init(_ policy: BacklogPolicy<Value, Subscribers.Completion<Failure>>) { self.policy = policy }

  /// A backlog without a limit: a subscriber loses nothing.
  ///
  /// Memory: every value that the slowest subscriber lacks, once for all of them.
  public static var unbounded: Self { Backlog(.unbounded) }

  /// Creates a policy for a backlog of limited size.
  ///
  /// Cost: O(1), amortised, for each value and each subscriber that lags, and for each request and
  /// each cancel. With ``WhenFull/wait`` every value takes a look at every subscriber. With
  /// ``WhenFull/dropOldest`` a request and a cancel of a full subscriber take O(log *n*), if *n*
  /// different sizes are in use.
  ///
  /// - Parameters:
  ///   - count: The greatest number of values that wait for a subscriber, 1 or more. A smaller
  ///     number traps.
  ///   - whenFull: The treatment of a value that would be one too many.
  /// - Returns: The policy.
  public static func size(_ count: Int, whenFull: WhenFull) -> Self {
    trap(
      unless: count > 0,
      "Backlog.size(\(count)): no value could wait; pass 1 or more, or leave the backlog out.")
    return Backlog(whenFull.policy(count))
  }

  /// Creates a policy for a backlog with limits: of the number of values, of what they cost
  /// together, of their age.
  ///
  /// The backlog is full if one of the limits would be exceeded with the value that arrives. A
  /// value that alone exceeds a limit of the cost never waits: it is dropped, or fails the
  /// subscriber. A subscriber that has requested it gets it, because a value that is delivered does
  /// not wait. Only ``WhenFull/wait`` and ``WhenFull/conflate(by:)`` let it wait.
  ///
  /// With ``WhenFull/dropOldest`` a value that is too old is not delivered any more: its age is
  /// looked at when another value arrives and when the subscriber requests one. Under the other
  /// treatments the backlog is full while the oldest value that waits is too old, and what waits is
  /// delivered.
  ///
  /// Cost: O(1), amortised, for each value and each subscriber that lags, and a call of the closure
  /// that returns the cost. A `for await` loop with such a backlog takes its values one by one,
  /// unless the backlog is that of the publisher, and drops the oldest at a limit of the cost.
  ///
  /// - Parameters:
  ///   - limits: The limits: ``Limit/count(_:)``, ``Limit/cost(_:of:)``, ``Limit/age(_:clock:)``,
  ///     one of each kind at most. The call traps if there is no limit, or two of a kind.
  ///   - whenFull: The treatment of a value for which there is no room.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let messages = PassthroughSubject<String, Never>()
  /// let shared = messages.share(
  ///   backlog: .limit(
  ///     .count(100), .cost(8) { $0.utf8.count },
  ///     whenFull: .dropOldest))
  /// let slow = TestSubscriber<String, Never>(initialDemand: .none)
  /// shared.subscribe(slow)
  /// for message in ["one", "two", "three"] { messages.send(message) }
  /// slow.request(.unlimited)
  /// print(slow.values)
  /// slow.cancel()
  /// // Prints:
  /// // ["two", "three"]
  /// ```
  public static func limit(_ limits: Limit<Value>..., whenFull: WhenFull) -> Self {
    limit(all: limits, whenFull: whenFull)
  }

  package static func limit(all limits: [Limit<Value>], whenFull: WhenFull) -> Self {
    let limit = Limit.all(limits)
    trap(
      unless: limit.count < .max || limit.measured != nil,
      "Backlog.limit: there is no limit; pass a count, a cost or an age, or use .unbounded.")
    return Backlog(whenFull.policy(limit.count).limited(by: limit.measured))
  }
}

extension Backlog {
  /// Traps if the policy cannot be kept with a replay.
  func check(_ replay: Replay<Value>) {
    trap(
      unless: !policy.isRejoining || !replay.memory.isEverything,
      """
      Backlog .rejoin with Replay.all: a newcomer starts at the first value, so nothing lies ahead \
      to go on from; use .last, .sinceKeyframe, .latest or .none, or another backlog.
      """)
  }
}
