// `@unchecked Sendable` invariant: the only stored property is a constant; the closure that it can hold was
// passed in as `@Sendable`.

public import FanoutEngine

/// A policy for the values that wait for a subscriber of a shared publisher.
///
/// A value waits if the subscriber has not asked for it yet. Each subscriber has a backlog of its own, so a slow
/// subscriber changes nothing for the others. Only ``WhenFull/wait`` is different: there the slowest subscriber sets
/// the pace of the upstream.
///
/// | policy | a slow subscriber | the upstream | memory, beside the replay |
/// | --- | --- | --- | --- |
/// | ``unbounded`` | loses nothing | runs on | all that the slowest lacks |
/// | ``WhenFull/dropOldest`` | keeps the newest `count` values | runs on | at most `count` values, and the rest of its replay |
/// | ``WhenFull/dropNewest`` | keeps the oldest `count` values, and takes new ones when there is room | runs on | at most `count` values, and the rest of its replay, for each slow subscriber |
/// | ``WhenFull/customError(_:)`` | gets `count` values, then fails | runs on | at most `count` values, and the rest of its replay, for each slow subscriber |
/// | ``WhenFull/rejoin`` | goes on where a newcomer would start | runs on | at most `count` values, or all that it lacks as long as no start lies ahead |
/// | ``WhenFull/wait`` | loses nothing, if the upstream respects demand | waits for it | at most `count` values, then |
///
/// A newcomer's replay is owed to it in full: what it has not requested of that does not count, and is not dropped,
/// whatever happens when the backlog is full. Only with ``WhenFull/rejoin`` a newer start takes its place.
///
/// A sink takes every value, so nothing waits for it. A shared publisher with a backlog asks for everything when it
/// connects, and one with ``WhenFull/wait`` for what there is room for.
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
/// fast.cancel()
/// slow.cancel()
/// // Prints:
/// // fast 1
/// // fast 2
/// // fast 3
/// // fast 4
/// // slow [3, 4]
/// ```
public struct Backlog<Failure: Error>: @unchecked Sendable {
  /// The treatment of a value that arrives when the backlog is full.
  public enum WhenFull: Sendable {
    /// Drops the oldest value that waits.
    case dropOldest
    /// Drops the value that has arrived.
    case dropNewest
    /// Drops the value that has arrived and ends the subscriber.
    ///
    /// The subscriber gets what waits as it asks for it, and then the failure that the closure returns. The
    /// delivering thread calls the closure once for the subscriber, with no lock held; for a `for await` loop that may
    /// be any thread that sends.
    /// A publisher that cannot fail needs `setFailureType(to:)` in front of `share`.
    case customError(@Sendable () -> Failure)
    /// Lets the subscriber go on where a newcomer would start, if that lies ahead of its place.
    ///
    /// It never goes back and never gets a value twice. Under ``Replay/sinceKeyframe(where:)`` it goes on at a
    /// keyframe, and as long as none lies ahead, it loses nothing. Under ``Replay/none`` and under a cache of
    /// your own it goes on with the next value, behind what is left of its replay. ``Replay/all`` has no start ahead,
    /// so this combination traps.
    case rejoin
    /// Asks the upstream for no more values than there is room for in every backlog.
    ///
    /// An upstream that ignores demand is not slowed down: what it sends unrequested waits. A subject drops
    /// what is not requested, for all subscribers.
    case wait
  }

  @usableFromInline let policy: BacklogPolicy<Subscribers.Completion<Failure>>

  init(_ policy: BacklogPolicy<Subscribers.Completion<Failure>>) { self.policy = policy }

  /// A backlog without a limit: a subscriber loses nothing.
  ///
  /// Memory: every value that the slowest subscriber lacks, once for all of them.
  public static var unbounded: Self { Backlog(.unbounded) }

  /// Creates a policy for a backlog of limited size.
  ///
  /// Cost: O(1), amortised, for each value and each subscriber that lags. With ``WhenFull/wait`` every value takes a
  /// look at every subscriber.
  ///
  /// - Parameters:
  ///   - count: The greatest number of values that wait for a subscriber, 1 or more. A smaller number traps.
  ///   - whenFull: The treatment of a value that would be one too many.
  /// - Returns: The policy.
  public static func size(_ count: Int, whenFull: WhenFull) -> Self {
    trap(
      unless: count > 0,
      "Backlog.size(\(count)): no value could wait; pass 1 or more, or leave the backlog out.")
    switch whenFull {
    case .dropOldest: return Backlog(.droppingOldest(count))
    case .dropNewest: return Backlog(.droppingNewest(count))
    case .customError(let makeFailure): return Backlog(.ending(count) { .failure(makeFailure()) })
    case .rejoin: return Backlog(.rejoining(count))
    case .wait: return Backlog(.waiting(count))
    }
  }
}

extension Backlog {
  /// Traps if the policy cannot be kept with a replay.
  @usableFromInline
  func check<Value>(_ replay: Replay<Value>) {
    trap(
      unless: !policy.isRejoining || !replay.memory.isEverything,
      """
      Backlog .rejoin with Replay.all: a newcomer starts at the first value, so nothing lies ahead to go on \
      from; use .last, .sinceKeyframe, .latest or .none, or another backlog.
      """)
  }
}
