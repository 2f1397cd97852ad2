// `@unchecked Sendable` invariant: the only stored property is a constant; every closure that it
// can hold was passed in as `@Sendable`.

public import FanoutEngine

/// A policy for what a late subscriber receives before live values, and what a slow one loses.
///
/// ![With replay .latest: A counts, B adds up, once for all. C gets every sum. D joins after 13. It gets 13 at once, then 16 and 20, as C does.](share-latest)
///
/// | policy | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- |
/// | ``none`` | what comes next | loses what it has not asked for | none |
/// | ``latest`` | the last value | gets the newest on its next request | one value |
/// | ``all`` | everything so far | loses nothing | every value |
/// | ``last(_:)`` | the last values | loses nothing | that many |
/// | ``sinceKeyframe(where:)`` | all since the last keyframe | loses nothing | these values |
/// | ``sinceKeyframe(limit:fromBeginning:where:)`` | the same, or waits | loses nothing | these |
/// | ``latest(by:)`` | the newest value of each key | loses nothing | one value a key |
/// | ``last(_:within:clock:)`` | the last values, not too old | loses nothing | those values |
/// | ``last(_:_:)`` | the last values within limits | loses nothing | those values |
/// | ``undelivered(_:)`` | the first: what came without one | loses nothing | that many |
/// | ``custom(_:)`` | what your cache has | loses nothing | your cache |
///
/// Where a slow subscriber loses nothing, what it still lacks stays in memory too.
///
/// ``headed(by:)`` puts headers in front of any of them, and ``requesting(every:scheduler:_:)``
/// asks the source for a keyframe while a subscriber waits. <doc:LateSubscribers> compares all of
/// them.
///
/// ```swift
/// import Fanout
///
/// let prices = PassthroughSubject<Int, Never>()
/// let shared = prices.share(replay: .latest)
/// let early = shared.sink { print("early", $0) }
/// prices.send(10)
/// prices.send(15)
/// let late = shared.sink { print("late", $0) }
/// // Prints:
/// // early 10
/// // early 15
/// // late 15
/// ```
public struct Replay<Value>: @unchecked Sendable {
  @usableFromInline let memory: RetentionPolicy<Value>

  /// A policy that replays nothing.
  ///
  /// ![D joins after 13, and gets 16 and 20.](share)
  ///
  /// Use it for events that mean nothing later. It costs nothing. See also <doc:LateSubscribers>.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let taps = PassthroughSubject<Int, Never>()
  /// let shared = taps.share(replay: .none)
  /// let early = shared.sink { print("early", $0) }
  /// taps.send(1)
  /// let late = shared.sink { print("late", $0) }
  /// taps.send(2)
  /// // Prints:
  /// // early 1
  /// // early 2
  /// // late 2
  /// ```
  public static var none: Self { Replay(memory: .nothing) }

  /// A policy that replays the last value.
  ///
  /// ![D joins after 13. It gets 13 at once, then 16 and 20, as C does.](share-latest)
  ///
  /// Use it for a state, or one result. It costs O(1) a value, and holds one. See also
  /// <doc:LateSubscribers>.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let page = PassthroughSubject<String, Never>()
  /// let shared = page.share(replay: .latest)
  /// let early = shared.sink { print("early", $0) }
  /// page.send("page")
  /// page.send(completion: .finished)
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // early page
  /// // late page
  /// ```
  public static var latest: Self { Replay(memory: .newest(overtakenByEnd: false)) }

  /// A policy that replays every value.
  ///
  /// ![D joins after 13. It gets 11 and 13 at once, then 16 and 20, as C does.](share-all)
  ///
  /// Use it for a stream that ends. It costs amortised O(1) a value; joining is O(1). See also
  /// <doc:LateSubscribers>.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let log = PassthroughSubject<String, Never>()
  /// let shared = log.share(replay: .all)
  /// let keeping = shared.sink { _ in }
  /// for line in ["start", "copy"] { log.send(line) }
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // late start
  /// // late copy
  /// ```
  public static var all: Self { Replay(memory: .everything) }

  /// Creates a policy that replays the last `count` values.
  ///
  /// ![With .last(2): D joins after 1, 2 and 3. It gets 2 and 3 at once, then 4, as C does.](share-last)
  ///
  /// It costs O(1) a value. Storage grows with the values held, up to `count`. See also
  /// <doc:LateSubscribers>.
  ///
  /// - Parameter count: The number of values, 1 or more. A smaller number traps.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let chat = PassthroughSubject<String, Never>()
  /// let shared = chat.share(replay: .last(2))
  /// let keeping = shared.sink { _ in }
  /// for text in ["hi", "hello", "bye"] { chat.send(text) }
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // late hello
  /// // late bye
  /// ```
  public static func last(_ count: Int) -> Self {
    trap(
      unless: count > 0,
      "Replay.last(\(count)): a late subscriber would get nothing; pass 1 or more, or use .none.")
    return Replay(memory: .last(count))
  }

  /// Creates a policy that replays the last keyframe and all values that follow it.
  ///
  /// ![1, 4 and 7 are keyframes. D joins after 5. It gets 4 and 5 at once, then 6 and 7, as C does.](share-keyframe)
  ///
  /// A keyframe is a value from which a subscriber can always start. Until the first keyframe there
  /// is no later starting point, so the policy replays every value.
  ///
  /// Cost: O(1) a value. A value lives until the next keyframe, and as long as a slow subscriber
  /// still lacks it. See also <doc:LateSubscribers#Everything-since-the-last-keyframe>.
  ///
  /// - Parameter isKeyframe: The closure that decides whether a value is a keyframe. The delivering
  ///   thread calls it once a value, with no lock held. While a `for await` loop has a backlog that
  ///   rejoins, the thread that sends calls it once more, before the value is accepted.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let camera = PassthroughSubject<String, Never>()
  /// let shared = camera.share(
  ///   replay: .sinceKeyframe { $0.hasPrefix("key") })
  /// let keeping = shared.sink { _ in }
  /// for frame in ["key 1", "key 2", "p 3"] { camera.send(frame) }
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // late key 2
  /// // late p 3
  /// ```
  @preconcurrency
  public static func sinceKeyframe(where isKeyframe: @escaping @Sendable (Value) -> Bool) -> Self {
    Replay(memory: .sinceKeyframe(KeyframeRules(isKeyframe: isKeyframe)))
  }

  /// Creates a policy that replays the newest value of each key, in the order of their arrival.
  ///
  /// ![Prices of X and Y. D joins after X10, Y20 and X11. It gets Y20 and X11 at once, then Y21.](share-latest-by-key)
  ///
  /// Use it for the state of many things in one stream: the newest price of each share, the last
  /// position of each player. See also <doc:LateSubscribers#The-newest-of-each-key>.
  ///
  /// Cost: amortised O(1) a value; one value held for each key, and about as many empty places. A
  /// key is kept as long as the connection. Joining is O(keys).
  ///
  /// - Parameter key: The closure that returns a value's key. The delivering thread calls it once
  ///   for each value, with no lock held.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let prices = PassthroughSubject<(name: String, price: Int), Never>()
  /// let shared = prices.share(replay: .latest(by: \.name))
  /// let keeping = shared.sink { _ in }
  /// for (name, price) in [("tea", 1), ("milk", 2), ("tea", 3)] {
  ///   prices.send((name, price))
  /// }
  /// let late = shared.sink { print($0.name, $0.price) }
  /// // Prints:
  /// // milk 2
  /// // tea 3
  /// ```
  @preconcurrency
  public static func latest<Key: Hashable & SendableMetatype>(
    by key: @escaping @Sendable (Value) -> Key
  ) -> Self {
    Replay(makeCache: {
      let cache = HeldCache(LatestByKey<Key, Value>())
      return (
        record: { value in
          let key = key(value)
          _ = cache.change { $0.record(value, key: key) }
        }, contents: { cache.read(or: []) { $0.contents } },
        count: { cache.read(or: 0) { $0.newest.count } }, copy: { cache.cache }
      )
    })
  }

  /// Creates a policy that replays the newest values as long as they are not older than a limit.
  ///
  /// ![Within 60 s: 1 comes at 0 s, 2 at 50 s. D joins at 70 s. It gets 2 at once, then 3.](share-last-within)
  ///
  /// Ages are judged when a value is recorded and when a subscriber joins; no timer runs. So a
  /// value that has become too old is released at the next of these moments, or with the
  /// connection. See also <doc:LateSubscribers#Clear-it-or-let-it-expire>.
  ///
  /// Cost: amortised O(1) a value, and a look at the clock.
  ///
  /// - Parameters:
  ///   - count: The greatest number of values, 1 or more; by default there is no limit. A smaller
  ///     number traps.
  ///   - interval: The greatest age, 0 or more: a value of exactly this age is replayed. A negative
  ///     one traps.
  ///   - clock: The clock that measures the age. No task sleeps on it.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let clock = TestScheduler()
  /// let alarms = PassthroughSubject<String, Never>()
  /// let shared = alarms.share(replay: .last(within: .seconds(60), clock: clock))
  /// let keeping = shared.sink { _ in }
  /// alarms.send("door")
  /// clock.advance(by: .seconds(50))
  /// alarms.send("window")
  /// clock.advance(by: .seconds(20))
  /// let late = shared.sink { print($0) }
  /// // Prints:
  /// // window
  /// ```
  public static func last<C: Clock>(
    _ count: Int = .max, within interval: Duration, clock: C = ContinuousClock()
  ) -> Self where C.Duration == Duration {
    trap(
      unless: count > 0 && interval >= .zero,
      """
      Replay.last(\(count), within: \(interval)): a late subscriber would get nothing; pass a \
      count of 1 or more and a time of 0 or more, or use .none.
      """)
    return last(.count(count), .age(interval, clock: clock))
  }

  /// Creates a policy that replays the last values as long as they stay within limits: of their
  /// number, of what they cost together, of their age.
  ///
  /// ![A sends 4, 5 and 3 bytes. D may get 8 of them: it gets 5 and 3 at once, then 2, as C does.](share-last-cost)
  ///
  /// A value that alone exceeds a limit is not replayed. Ages are judged as in
  /// ``last(_:within:clock:)``.
  ///
  /// Cost: amortised O(1) a value. See also <doc:LateSubscribers>.
  ///
  /// - Parameters:
  ///   - limit: The limit.
  ///   - others: The limits that hold beside it. Two of the cost, or of the age, trap.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let lines = PassthroughSubject<String, Never>()
  /// let shared = lines.share(
  ///   replay: .last(.count(100), .cost(8) { $0.utf8.count }))
  /// let keeping = shared.sink { _ in }
  /// for line in ["one", "two", "three"] { lines.send(line) }
  /// let late = shared.sink { print($0) }
  /// // Prints:
  /// // two
  /// // three
  /// ```
  public static func last(_ limit: Limit<Value>, _ others: Limit<Value>...) -> Self {
    let all = Limit.all([limit] + others)
    return Replay(memory: .last(all.count, limits: all.measured))
  }

  /// Creates a policy that replays the contents of a cache of your own.
  ///
  /// ![Prices of X and Y. D joins after X10, Y20 and X11. It gets X11 and Y20 at once, then Y21.](share-custom)
  ///
  /// See also <doc:LateSubscribers#A-cache-of-your-own>.
  ///
  /// - Parameter makeCache: The closure that makes a new cache for every connection. It is called
  ///   with no lock held.
  /// - Returns: The policy.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// struct TwoBest: ReplayCache {
  ///   private(set) var contents: [Int] = []
  ///   mutating func record(_ score: Int) {
  ///     contents = (contents + [score]).sorted().suffix(2)
  ///   }
  /// }
  ///
  /// let scores = PassthroughSubject<Int, Never>()
  /// let shared = scores.share(replay: .custom { TwoBest() })
  /// let keeping = shared.sink { _ in }
  /// for score in [7, 3, 9] { scores.send(score) }
  /// let late = shared.sink { print("late", $0) }
  /// // Prints:
  /// // late 7
  /// // late 9
  /// ```
  @preconcurrency
  public static func custom<Cache: ReplayCache<Value>>(
    _ makeCache: @escaping @Sendable () -> Cache
  ) -> Self {
    Replay(makeCache: {
      let cache = HeldCache(makeCache())
      return (
        record: { value in cache.change { $0.record(value) } },
        contents: { cache.readAlone(or: []) { Array($0.contents) } },
        count: { cache.readAlone(or: 0) { count($0.contents) } }, copy: { cache.cache }
      )
    })
  }

  init(
    makeCache:
      @escaping () -> (
        record: (Value) -> Void, contents: () -> [Value], count: () -> Int, copy: () -> Any
      )
  ) {
    memory = .custom {
      let cache = makeCache()
      return CustomCache(
        record: cache.record, contents: cache.contents, count: cache.count, copy: cache.copy)
    }
  }

  /// Returns the number of values, which a collection tells without going through them.
  static func count(_ contents: some Sequence<Value>) -> Int {
    (contents as? any Collection)?.count ?? contents.reduce(0) { count, _ in count + 1 }
  }

  init(memory: RetentionPolicy<Value>) { self.memory = memory }

  /// This policy for cores that stand in for one another.
  var forGenerations: Self { Replay(memory: memory.forGenerations) }
}
