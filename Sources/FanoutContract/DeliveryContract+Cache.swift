public import Fanout
internal import FanoutEngine
internal import FanoutLifetime

extension DeliveryContract {
  /// Checks a replay cache of your own.
  ///
  /// Your cache is its own reference: a late subscriber must receive the contents of a fresh cache
  /// that has recorded the same values one after another. The check first examines the cache alone:
  /// reading it must change nothing, and a fresh cache must be independent of earlier ones. It
  /// shares the cache with each `Backlog`, where what a slow subscriber gets and misses must add
  /// up. Then it runs programs on `multicast(replay: .custom { … })` and its `autoconnect()`: they
  /// send, end, subscribe, request, cancel, connect and disconnect, from outside and inside every
  /// call of a subscriber.
  ///
  /// - Parameters:
  ///   - programs: The number of random programs to run.
  ///   - rounds: The number of crowds of two to nine threads each to run on the cache.
  ///   - seed: The seed of the first program or crowd. The same seed makes the same ones in every
  ///     run. If nil, the value of the environment variable `FANOUT_SEED`, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - value: The closure that makes a new value of a number. If values are objects, all of them
  ///     must be gone at the end.
  ///   - number: The closure that returns the number of a value.
  ///   - makeCache: The closure that makes a fresh cache. If caches are objects, they too must be
  ///     gone at the end.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// Programs and crowds run on threads of their own, and the check waits for them; it reports a
  /// program that hangs after 20 to 40 seconds. A thousand programs or a hundred crowds take a few
  /// tenths of a second in a debug build. On a platform without Dispatch, such as WASI, everything
  /// runs on the calling thread, and a program that hangs is not noticed.
  @preconcurrency
  public static func check<Cache: ReplayCache & SendableMetatype>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    value: @escaping @Sendable (Int) -> Cache.Value,
    number: @escaping @Sendable (Cache.Value) -> Int,
    _ makeCache: @escaping @Sendable () -> Cache
  ) throws(Violation) {
    let bench = CacheBench(value: value, number: number, makeCache: makeCache)
    try bench.check(seed: firstSeed(seed))
    try BacklogBench(cache: bench).check(seed: firstSeed(seed))
    let made = Lock<[WeakReference]>([])
    let replay = Replay<Cache.Value>.custom {
      let cache = makeCache()
      if Cache.self is AnyObject.Type {
        let reference = WeakReference(cache as AnyObject)
        made.withLock { $0.append(reference) }
      }
      return cache
    }
    let trial = Trial<Cache.Value, ModelFailure>(
      promise: .custom { bench.contents(after: $0) }, form: .multicast, holdsExactly: false,
      failure: ModelFailure(), value: value, number: number,
      makeWiring: { Wiring(whenAsked: $0) { $0.multicast(replay: replay) } },
      watched: {
        made.withLock { made in
          defer { made = [] }
          return made.map { ("a cache", $0) }
        }
      },
      call: Call(values: Cache.Value.self, Cache.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
    guard program == nil else { return }
    try checkThreads(
      "\(Cache.self)", rounds: rounds, seed: seed, promising: trial.promise, value: value,
      number: number
    ) { ReplaySubject<Cache.Value, Never>(replay) }
  }

  /// Checks a replay cache of your own whose values are numbers.
  ///
  /// - Parameters:
  ///   - programs: The number of random programs to run.
  ///   - rounds: The number of crowds of two to nine threads each to run on the cache.
  ///   - seed: The seed of the first program or crowd. The same seed makes the same ones in every
  ///     run. If nil, the value of the environment variable `FANOUT_SEED`, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - makeCache: The closure that makes a fresh cache. If caches are objects, they must be gone
  ///     at the end.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutContract
  ///
  /// /// A cache that retains the even values.
  /// struct Evens: ReplayCache {
  ///   var contents: [Int] = []
  ///   mutating func record(_ value: Int) {
  ///     if value.isMultiple(of: 2) { contents.append(value) }
  ///   }
  /// }
  ///
  /// try DeliveryContract.check(programs: 100) { Evens() }
  /// print("holds")
  /// // Prints:
  /// // holds
  /// ```
  @preconcurrency
  public static func check<Cache: ReplayCache<Int> & SendableMetatype>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    _ makeCache: @escaping @Sendable () -> Cache
  ) throws(Violation) {
    try check(
      programs: programs, rounds: rounds, seed: seed, only: program, value: { $0 }, number: { $0 },
      makeCache)
  }
}
