// `@unchecked Sendable` invariant: the only stored property is a constant; the closures that it can
// hold were `@Sendable` when they were given.

public import FanoutEngine

/// What a late subscriber receives before live values, and what a slow one loses.
///
/// | policy | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- |
/// | ``none`` | what comes next | loses what it has not asked for | none |
/// | ``latest`` | the last value | gets the newest on its next request | one value |
/// | ``all`` | everything so far | loses nothing | every value |
/// | ``last(_:)`` | the last values | loses nothing | that many, and what a slow subscriber lacks |
/// | ``sinceKeyframe(where:)`` | all since the last keyframe | loses nothing | since the last keyframe, and what a slow subscriber lacks |
/// | ``custom(_:)`` | what your cache has | loses nothing | your cache, and what a slow subscriber lacks |
public struct Replay<Value>: @unchecked Sendable {
  @usableFromInline let memory: Memory<Value>

  /// Nothing.
  ///
  /// Cost: none.
  public static var none: Self { Replay(memory: .nothing) }

  /// The last value.
  ///
  /// Cost: O(1) a value, one value held.
  public static var latest: Self { Replay(memory: .newest(overtakenByEnd: false)) }

  /// Every value.
  ///
  /// Cost: amortised O(1) a value; joining is O(1), whatever has been recorded.
  public static var all: Self { Replay(memory: .everything) }

  /// The last `count` values.
  ///
  /// Cost: O(1) a value; storage grows with what is held, up to `count`.
  ///
  /// - Parameter count: how many; less than 1 traps.
  /// - Returns: the policy.
  public static func last(_ count: Int) -> Self {
    precondition(
      count > 0, "Replay.last(\(count)): the count must be 1 or more; use .none to replay nothing.")
    return Replay(memory: .last(count))
  }

  /// The last keyframe and all that follow it; every value as long as there was no keyframe.
  ///
  /// A keyframe is a value from which a subscriber can always start. Cost: O(1) a value; a value
  /// lives until the next keyframe, and as long as a slow subscriber still lacks it.
  ///
  /// - Parameter isKeyframe: asked once a value, by the delivering thread, with no lock held.
  /// - Returns: the policy.
  @preconcurrency
  public static func sinceKeyframe(where isKeyframe: @escaping @Sendable (Value) -> Bool) -> Self {
    Replay(memory: .sinceKeyframe(isKeyframe))
  }

  /// What a cache of your own has.
  ///
  /// - Parameter makeCache: makes a fresh cache for every connection; called with no lock held.
  /// - Returns: the policy.
  @inlinable
  @preconcurrency
  public static func custom<Cache: ReplayCache<Value>>(
    _ makeCache: @escaping @Sendable () -> Cache
  ) -> Self {
    Replay(makeCache: {
      var cache = makeCache()
      return (record: { cache.record($0) }, contents: { Array(cache.contents) }, copy: { cache })
    })
  }

  @usableFromInline
  init(
    makeCache: @escaping () -> (record: (Value) -> Void, contents: () -> [Value], copy: () -> Any)
  ) {
    memory = .custom {
      let cache = makeCache()
      return CustomCache(record: cache.record, contents: cache.contents, copy: cache.copy)
    }
  }

  init(memory: Memory<Value>) { self.memory = memory }
}
