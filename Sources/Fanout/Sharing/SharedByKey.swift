internal import FanoutEngine

/// Shared publishers by key: one for each key that is in use.
///
/// It is for requests, rooms and topics. Ten callers that want the same key at the same time share
/// one connection; what is over takes no memory.
///
/// - Starts: a key with its first subscriber.
/// - Stops: as its ``Disconnect`` says.
/// - A late subscriber gets: the latest value, or as in a share with another ``Replay``.
/// - A slow subscriber: as its ``Backlog`` says.
/// - Memory: one share for each key in use.
///
/// A key is in use while it has a subscriber, and while its connection is open. A publisher that
/// you keep from the subscript does not hold the key. Nothing is kept after an end: when the
/// subscribers have got it, or at once if there is none, the key goes, and the next subscriber
/// makes a new connection.
///
/// A request delivers in two steps, its answer and its end. A caller that comes between the two
/// gets both, because a key replays the latest value. With another `replay`, such as
/// ``Replay/none``, it may get the end alone.
///
/// - Completion: that of one key reaches the subscribers of that key only.
/// - Concurrency: every member may be used from any thread, also inside `receive`. There is never
///   more than one connection for a key at a time, however subscribers come and go (L10).
/// - Ownership: subscriptions do not retain it. When it is released, a key with subscribers goes on
///   until they leave, and a key without subscribers closes at once.
/// - Keys: they are hashed and compared under a lock, so their `hash(into:)` and `==` must not use
///   this object. Its `keys`, a subscription to one of its publishers, `status` or `replayed` of
///   one, and the cancel of a subscriber trap there.
/// - Cost: a look into a dictionary, under a lock, for each subscriber; a value costs what it costs
///   in a share.
///
/// ```swift
/// import Fanout
///
/// let pages = SharedByKey { (path: String) in
///   Deferred { () -> PassthroughSubject<String, Never> in
///     print("loading", path)
///     return PassthroughSubject()
///   }
/// }
/// let first = pages["/"].sink { _ in }
/// let second = pages["/"].sink { _ in }
/// let other = pages["/help"].sink { _ in }
/// print(pages.keys.sorted())
/// for sink in [first, second, other] { sink.cancel() }
/// print(pages.keys)
/// // Prints:
/// // loading /
/// // loading /help
/// // ["/", "/help"]
/// // []
/// ```
public final class SharedByKey<Key: Hashable & Sendable, Upstream: Publisher>: Sendable
where Upstream: SendableMetatype, Upstream.Output: Sendable {
  package let shares: KeyedShares<Key, Upstream>

  /// Creates an object without keys.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber of a key receives first. By default that is
  ///     the latest value, so that a caller between the answer and the end of a request gets the
  ///     answer.
  ///   - disconnect: The moment at which a key disconnects from its upstream. Under
  ///     ``Disconnect/whenReleased`` a key stays until this object is released.
  ///   - restart: The ends after which a subscriber of a key that is still in use starts again.
  ///   - backlog: The policy for the values that wait for a slow subscriber, or nil if the demand
  ///     of all counts.
  ///   - observer: The closure that returns the observer of a key, or nil. It is called when the
  ///     key comes into use, outside any lock. Of two shares that two threads make for a key at the
  ///     same time, one is discarded unused.
  ///   - makeUpstream: The closure that returns the publisher of a key. It is called for each
  ///     connection, on the thread of the first subscriber, outside any lock.
  public init(
    replay: Replay<Upstream.Output> = .latest, disconnect: Disconnect = .whenIdle,
    restart: Restart = [], backlog: Backlog<Upstream.Output, Upstream.Failure>? = nil,
    observer: (@Sendable (Key) -> any SharingObserver)? = nil,
    _ makeUpstream: @escaping @Sendable (Key) -> Upstream
  ) {
    backlog?.check(replay)
    shares = KeyedShares { key, use in
      CountedSharing(
        UpstreamShareCore.current(
          Deferred { makeUpstream(key) }, replay, restart: restart, backlog, observer?(key))
      ) { disconnect.counter(around: KeyedCounter($0, use)) }
    }
    noteCreation(of: self)
  }

  deinit { shares.close() }

  /// The shared publisher of a key.
  ///
  /// It is a name: nothing is made before it has a subscriber. It retains this object.
  ///
  /// - Parameter key: The key.
  public subscript(key: Key) -> AnySharedPublisher<Upstream.Output, Upstream.Failure> {
    AnySharedPublisher { self.shares[key].access }
  }

  /// The keys in use, in no order.
  ///
  /// - Complexity: O(keys).
  public var keys: [Key] { shares.keys }
}

extension SharedByKey {
  /// Creates an object without keys, whose upstreams are asynchronous sequences.
  ///
  /// The sequence of a key is iterated in a task of its own, which begins with the first subscriber
  /// or loop of the key and is cancelled when the key disconnects. The closure makes a new sequence
  /// for each connection, so a sequence that can be iterated once, such as an `AsyncStream`, is
  /// right here if it is made in the closure.
  ///
  /// - Parameters:
  ///   - replay: The policy for what a late subscriber of a key receives first. By default that is
  ///     the latest value.
  ///   - disconnect: The moment at which a key disconnects from its upstream.
  ///   - restart: The ends after which a subscriber of a key that is still in use starts again.
  ///   - backlog: The policy for the values that wait for a slow subscriber, or nil if all of them
  ///     do.
  ///   - observer: The closure that returns the observer of a key, or nil.
  ///   - priority: The priority of the tasks that iterate, or nil for the default one.
  ///   - makeSequence: The closure that returns the sequence of a key. It is called for each
  ///     connection, on the thread of the first subscriber, outside any lock.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let rooms = SharedByKey(replay: .all) { (room: String) in
  ///   AsyncStream<String> { feed in
  ///     feed.yield("welcome to \(room)")
  ///     feed.finish()
  ///   }
  /// }
  /// for await line in rooms["tea"].values { print(line) }
  /// // Prints:
  /// // welcome to tea
  /// ```
  public convenience init<Elements: AsyncSequence & Sendable>(
    replay: Replay<Elements.Element> = .latest, disconnect: Disconnect = .whenIdle,
    restart: Restart = [], backlog: Backlog<Elements.Element, Elements.Failure>? = nil,
    observer: (@Sendable (Key) -> any SharingObserver)? = nil, priority: TaskPriority? = nil,
    _ makeSequence: @escaping @Sendable (Key) -> Elements
  ) where Upstream == Publishers.Async<Elements> {
    self.init(
      replay: replay, disconnect: disconnect, restart: restart, backlog: backlog,
      observer: observer
    ) { Publishers.Async(sequence: makeSequence($0), task: .own(priority)) }
  }
}
