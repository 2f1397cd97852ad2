// `@unchecked Sendable` invariant: the only stored property is a constant; the closures that it can
// hold were passed in as `@Sendable`.

internal import FanoutEngine

extension Backlog {
  /// The treatment of a value that arrives when the backlog is full.
  ///
  /// A backlog is full if it would exceed its limit with the value. <doc:SlowSubscribers> compares
  /// the treatments.
  public struct WhenFull: @unchecked Sendable {
    typealias Policy = BacklogPolicy<Value, Subscribers.Completion<Failure>>

    /// Returns the policy for a number of values.
    let policy: (_ count: Int) -> Policy

    /// Drops the oldest values that wait, as many as must go.
    ///
    /// The producer runs on. A value that alone exceeds a limit of the cost is dropped too, with
    /// all that waits in front of it. See also <doc:SlowSubscribers>.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// func show(_ sensor: Broadcast<Int, Never>) async {
    ///   var slow = sensor.values.makeAsyncIterator()
    ///   for reading in 1...5 { sensor.yield(reading) }
    ///   sensor.finish()
    ///   print("sent 5")
    ///   while let next = await slow.next() { print("slow", next) }
    /// }
    ///
    /// await show(Broadcast(
    ///   backlog: .size(2, whenFull: .dropOldest)))
    /// // Prints:
    /// // sent 5
    /// // slow 4
    /// // slow 5
    /// ```
    public static var dropOldest: Self { Self { .droppingOldest($0) } }

    /// Drops the value that has arrived.
    ///
    /// The producer runs on, and the subscriber takes new values when there is room. See also
    /// <doc:SlowSubscribers>.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// func show(_ sensor: Broadcast<Int, Never>) async {
    ///   var slow = sensor.values.makeAsyncIterator()
    ///   for reading in 1...5 { sensor.yield(reading) }
    ///   sensor.finish()
    ///   print("sent 5")
    ///   while let next = await slow.next() { print("slow", next) }
    /// }
    ///
    /// await show(Broadcast(
    ///   backlog: .size(2, whenFull: .dropNewest)))
    /// // Prints:
    /// // sent 5
    /// // slow 1
    /// // slow 2
    /// ```
    public static var dropNewest: Self { Self { .droppingNewest($0) } }

    /// Drops the value that has arrived and ends the subscriber.
    ///
    /// The subscriber gets what waits as it asks for it, and then the failure that the closure
    /// returns. A publisher that cannot fail needs `setFailureType(to:)` in front of `share`. The
    /// producer runs on. See also <doc:SlowSubscribers>.
    ///
    /// - Parameter makeFailure: The closure that returns the failure. The delivering thread calls
    ///   it once for the subscriber, with no lock held; for a `for await` loop that may be any
    ///   thread that sends.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// struct TooSlow: Error {}
    ///
    /// func show(_ news: Broadcast<Int, TooSlow>) async {
    ///   var slow = news.values.makeAsyncIterator()
    ///   for item in 1...5 { news.yield(item) }
    ///   print("sent 5")
    ///   do {
    ///     while let item = try await slow.next() {
    ///       print("slow", item)
    ///     }
    ///   } catch { print("slow", error) }
    /// }
    ///
    /// await show(Broadcast(
    ///   backlog: .size(2, whenFull: .customError { TooSlow() })))
    /// // Prints:
    /// // sent 5
    /// // slow 1
    /// // slow 2
    /// // slow TooSlow()
    /// ```
    @preconcurrency
    public static func customError(_ makeFailure: @escaping @Sendable () -> Failure) -> Self {
      Self { .ending($0) { .failure(makeFailure()) } }
    }

    /// Lets the subscriber go on where a newcomer would start, if that lies ahead of its place.
    ///
    /// ![1, 4 and 7 are keyframes, and two may wait for D. It takes 1 and 2. When it asks for more it gets 7, 8 and 9.](rejoin)
    ///
    /// It never goes back and never gets a value twice. Under ``Replay/sinceKeyframe(where:)`` it
    /// goes on at a keyframe, and as long as none lies ahead, it loses nothing. Under
    /// ``Replay/none`` and under a cache of your own it goes on with the next value, behind what is
    /// left of its replay. ``Replay/all`` has no start ahead, so this combination traps. The
    /// producer runs on. See also <doc:SlowSubscribers#A-new-start>.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// func show(_ video: Broadcast<Int, Never>) async {
    ///   var slow = video.values.makeAsyncIterator()
    ///   for frame in 1...8 { video.yield(frame) }
    ///   video.finish()
    ///   print("sent 8")
    ///   while let next = await slow.next() { print("slow", next) }
    /// }
    ///
    /// // Frames 1, 4 and 7 are keyframes.
    /// await show(Broadcast(
    ///   replay: .sinceKeyframe { $0 % 3 == 1 },
    ///   backlog: .size(2, whenFull: .rejoin)))
    /// // Prints:
    /// // sent 8
    /// // slow 7
    /// // slow 8
    /// ```
    public static var rejoin: Self { Self { .rejoining($0) } }

    /// Asks the upstream for no more values than there is room for in every backlog: the slowest
    /// sets the pace.
    ///
    /// ![Two values may wait, and a slow subscriber asks three times. Under .wait the producer sends 1, 2 and 3, waits for room, and then sends 4 and 5. Nothing is lost. Under .dropOldest it sends 1 to 6 at once, and 2, 3 and 4 are lost.](wait-and-drop)
    ///
    /// Nothing is lost, and a fast subscriber gets its values as slowly as the slowest takes them.
    /// See also <doc:SlowSubscribers#The-pace-of-the-slowest>.
    ///
    /// An upstream that ignores demand is not slowed down: what it sends unrequested waits. A
    /// subject drops what is not requested. So it is asked for everything, and what comes waits
    /// beyond the limit: nothing is lost, and ``SharedPublisher/status`` shows how much waits. B6
    /// says behind which operators that holds. What a value costs is known only when it has come.
    /// So under a limit of the cost or the age the upstream is asked for one value at a time, as
    /// long as the limit is not reached.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// func show() async {
    ///   let rows = (1...4).publisher.multicast(
    ///     replay: .none, backlog: .size(1, whenFull: .wait))
    ///   var slow = rows.values.makeAsyncIterator()
    ///   let fast = rows.sink { print("fast", $0) }
    ///   let connection = rows.connect()
    ///   print("the producer waits")
    ///   print("slow", await slow.next() ?? 0)
    ///   connection.cancel()
    ///   fast.cancel()
    /// }
    ///
    /// await show()
    /// // Prints:
    /// // fast 1
    /// // the producer waits
    /// // fast 2
    /// // slow 1
    /// ```
    public static var wait: Self { Self { .waiting($0) } }

    /// Lets one value wait for each key: the newest, in the place of the first that waited.
    ///
    /// The producer runs on. See also <doc:SlowSubscribers#The-newest-of-each-key>.
    ///
    /// That begins when the backlog is full, and lasts until the subscriber has taken all that
    /// waits. So a subscriber that is a little late gets every value, and one that is slow gets the
    /// newest of each key; never an older value of a key after a newer one. More keys than the
    /// limit has room for wait nevertheless, one value each. What makes way is not missed (B1): it
    /// is counted as ``SharingStatus/Subscriber/conflated``. All that holds across connections too:
    /// after ``SharedPublisher/reconnect()`` a value takes the place of an older one of its key.
    ///
    /// Cost: amortised O(1) a value for each subscriber that lags.
    ///
    /// - Parameter key: The closure that returns a value's key. The delivering thread calls it once
    ///   for each subscriber for which the value waits, with no lock held; for a `for await` loop a
    ///   thread that sends, or the loop's, does.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    /// import FanoutTestSupport
    ///
    /// let prices = PassthroughSubject<(name: String, price: Int), Never>()
    /// let shared = prices.share(
    ///   backlog: .size(1, whenFull: .conflate(by: \.name)))
    /// let slow = TestSubscriber<(name: String, price: Int), Never>(
    ///   initialDemand: .none)
    /// shared.subscribe(slow)
    /// for (name, price) in [("tea", 1), ("milk", 2), ("tea", 4)] {
    ///   prices.send((name, price))
    /// }
    /// print("sent 3")
    /// slow.request(.unlimited)
    /// for value in slow.values { print(value.name, value.price) }
    /// // Prints:
    /// // sent 3
    /// // tea 4
    /// // milk 2
    /// ```
    @preconcurrency
    public static func conflate<Key: Hashable & SendableMetatype>(
      by key: @escaping @Sendable (Value) -> Key
    ) -> Self {
      conflating(by: key, nil)
    }

    /// Lets one value wait for each key, made of all values of that key.
    ///
    /// This is ``conflate(by:)`` with a closure. The closure gets the value that waits and the
    /// value that arrives. What it returns then waits in place of both. The producer runs on. See
    /// also <doc:SlowSubscribers#The-newest-of-each-key>.
    ///
    /// - Parameters:
    ///   - key: The closure that returns a value's key.
    ///   - merge: The closure that makes one value of an older and a newer one. Both are called
    ///     with no lock held, on the threads of ``conflate(by:)``.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// struct Sale { var name: String, count: Int }
    ///
    /// func show(_ sales: Broadcast<Sale, Never>) async {
    ///   var slow = sales.values.makeAsyncIterator()
    ///   for (name, count) in [("tea", 1), ("milk", 2), ("tea", 3)] {
    ///     sales.yield(Sale(name: name, count: count))
    ///   }
    ///   sales.finish()
    ///   print("sent 3")
    ///   while let next = await slow.next() {
    ///     print("slow", next.name, next.count)
    ///   }
    /// }
    ///
    /// await show(Broadcast(
    ///   backlog: .size(1, whenFull: .conflate(by: \.name) {
    ///     Sale(name: $0.name, count: $0.count + $1.count)
    ///   })))
    /// // Prints:
    /// // sent 3
    /// // slow tea 4
    /// // slow milk 2
    /// ```
    @preconcurrency
    public static func conflate<Key: Hashable & SendableMetatype>(
      by key: @escaping @Sendable (Value) -> Key,
      _ merge: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> Self {
      conflating(by: key, merge)
    }

    /// Lets one value wait, made of all that have arrived.
    ///
    /// It is ``conflate(by:_:)`` with one key for all values. The producer runs on. See also
    /// <doc:SlowSubscribers>.
    ///
    /// - Parameter merge: The closure that makes one value of an older and a newer one. It is
    ///   called with no lock held, on the threads of ``conflate(by:)``.
    /// - Returns: The treatment.
    ///
    /// ```swift
    /// import Fanout
    ///
    /// func show(_ steps: Broadcast<Int, Never>) async {
    ///   var slow = steps.values.makeAsyncIterator()
    ///   for step in 1...5 { steps.yield(step) }
    ///   steps.finish()
    ///   print("sent 5")
    ///   while let sum = await slow.next() { print("slow", sum) }
    /// }
    ///
    /// await show(Broadcast(
    ///   backlog: .size(1, whenFull: .conflate { $0 + $1 })))
    /// // Prints:
    /// // sent 5
    /// // slow 15
    /// ```
    @preconcurrency
    public static func conflate(
      _ merge: @escaping @Sendable (_ old: Value, _ new: Value) -> Value
    ) -> Self {
      conflating(by: { _ in true }, merge)
    }

    init(_ policy: @escaping (_ count: Int) -> Policy) { self.policy = policy }

    static func conflating<Key: Hashable>(
      by key: @escaping (Value) -> Key, _ merge: ((_ old: Value, _ new: Value) -> Value)?
    ) -> Self {
      Self { count in
        .conflating(
          count,
          Conflation(
            makeIndex: {
              var index = PlacesByKey(key: key)
              return ConflationIndex(
                find: { index.find($0, at: $1, from: $2) }, copy: { index })
            }, merge: merge))
      }
    }
  }
}
