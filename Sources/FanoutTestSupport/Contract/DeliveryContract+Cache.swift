public import Fanout
internal import FanoutEngine
internal import FanoutLifetime

extension DeliveryContract {
  /// Checks a replay cache of your own.
  ///
  /// What a late subscriber must get is what a fresh cache has that is given the same values one
  /// after another: your cache is its own reference. First it is looked at alone: that reading it
  /// changes nothing, and that a fresh one knows nothing of another. Then programs run on
  /// `multicast(replay: .custom { … })` and its `autoconnect()`: they send, end, subscribe, ask,
  /// cancel, connect and disconnect, from outside and inside of every call of a subscriber.
  ///
  /// - Parameters:
  ///   - programs: How many random programs are run.
  ///   - rounds: How many crowds of threads, two to nine each, are let loose on it.
  ///   - seed: The seed of the first of them, which are the same in every run; if nil, that which the
  ///     environment variable `FANOUT_SEED` says, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - value: Makes the value of a number, a new one each time. If values are objects, they are
  ///     watched: all of them must be gone at the end.
  ///   - number: The number of a value.
  ///   - makeCache: Makes a fresh cache. If caches are objects, they must be gone at the end too.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// Programs run on a thread of their own and so do crowds, and it waits for them; a program that
  /// hangs is told of after 20 to 40 seconds. A thousand programs or a hundred crowds take a few
  /// tenths of a second in a debug build. In a build with `FANOUT_EXPLORER` defined, a few threads
  /// are also run in every order with at most two switches too many.
  @preconcurrency
  public static func check<Cache: ReplayCache & SendableMetatype>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    value: @escaping @Sendable (Int) -> Cache.Value,
    number: @escaping @Sendable (Cache.Value) -> Int,
    _ makeCache: @escaping @Sendable () -> Cache
  ) throws(Violation) {
    let bench = CacheBench(value: value, number: number, makeCache: makeCache)
    try bench.check(seed: firstSeed(seed))
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
  ///   - programs: How many random programs are run.
  ///   - rounds: How many crowds of threads, two to nine each, are let loose on it.
  ///   - seed: The seed of the first of them, which are the same in every run; if nil, that which the
  ///     environment variable `FANOUT_SEED` says, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - makeCache: Makes a fresh cache. If caches are objects, they must be gone at the end too.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// /// Keeps what came on even numbers.
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
