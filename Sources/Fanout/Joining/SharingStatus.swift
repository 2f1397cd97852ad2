// `@unchecked Sendable` invariant: the only stored property is a constant, a subject that is safe
// to use from any thread.

internal import FanoutEngine

/// The state of a shared publisher at one moment.
public struct SharingStatus: Hashable, Sendable {
  /// The account of a subscriber.
  public struct Subscriber: Hashable, Sendable {
    /// The name that it joined with.
    public let label: String?
    /// The number of values that wait for it.
    public let waiting: Int
    /// The number of values that it has missed since it joined.
    ///
    /// For a subscriber without a ``Backlog`` these are the values that it has not asked for in
    /// time (D16). If it had joined when `status` was read for the first time, they are counted
    /// from then on. What it misses while it waits for a keyframe counts if it has a backlog, or
    /// has joined on terms of its own: at a place, with a closure, or with a label.
    public let missed: Int
    /// The number of times that it has gone on where a newcomer would start.
    public let rejoins: Int
    /// The number of values that have made way for a newer one of their key while they waited for
    /// it.
    public let conflated: Int
  }

  /// Whether the upstream is connected.
  ///
  /// A subject is connected until it has ended.
  public let isConnected: Bool
  /// Whether the upstream has finished or failed; false after a disconnect.
  public let isEnded: Bool
  /// The number of values that a newcomer would get, which are those of
  /// ``SharedPublisher/replayed``.
  ///
  /// It is nil if it cannot be told just now: a cache decides the replay, and another thread stays
  /// inside a subscriber, or inside a closure of the policy for about a second.
  public let cached: Int?
  /// The subscribers in the order in which they joined, and then the `for await` loops, which are
  /// in that order too.
  public let subscribers: [Subscriber]
}

extension SharedPublisher {
  /// The values that a newcomer would get now; empty without a connection.
  ///
  /// Values that are accepted but not delivered yet count too. They do not count under
  /// ``Replay/undelivered(_:)``, with headers, a ``Limit`` or an age, or where a cache decides the
  /// replay: ``Replay/custom(_:)``, ``Replay/latest(by:)``, a reduced state.
  ///
  /// Reading this property takes no value away, and never waits until a subscriber returns from
  /// `receive`. It may be read from any thread, also inside `receive` and in the `deinit` of a
  /// value: of one that the replay drops, it no longer has that value. It delivers what other
  /// threads send meanwhile, for at most 20 milliseconds (D4).
  ///
  /// Where a cache decides the replay, it is empty while another thread stays inside a subscriber;
  /// ``SharingStatus/cached`` is nil then. The contents of a cache of your own are read on this
  /// thread. No thread waits for that: what comes meanwhile waits, and is delivered on this thread
  /// when the contents have been read (D11).
  ///
  /// Inside a closure of the policy, such as the one that knows a keyframe, it returns at once what
  /// was there before the value that the closure is called for. Inside the code of a
  /// ``ReplayCache`` and of a state's `update`, and where the keys of a policy are hashed or
  /// compared, it is empty. Beside such a closure on another thread it tries again, with pauses,
  /// for about a second at most, and is empty then.
  ///
  /// Cost: O(values).
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share(replay: .last(2))
  /// let keeping = shared.sink { _ in }
  /// (1...3).forEach { source.send($0) }
  /// print(shared.replayed)
  /// keeping.cancel()
  /// // Prints:
  /// // [2, 3]
  /// ```
  public var replayed: [Output] { _access.hub.lookAtReplay() }

  /// The state at this moment: the connection, the replay, and the subscribers.
  ///
  /// It may be read from any thread, also inside `receive`, in the `deinit` of a value, and in a
  /// closure of the policy; ``SharedPublisher/replayed`` says what `cached` counts there. During a
  /// delivery, the numbers can be those from before it. The first read lets the accounts begin: if
  /// it finds a delivery, it lists only loops. After an end that is in ``Restart``, it describes
  /// the next connection, which has not begun.
  ///
  /// Cost: O(subscribers), also of a replay of many values; during a delivery also O(values that
  /// wait for the delivering thread). A ``ReplayCache`` is asked for its `contents`, which are
  /// copied if they are no `Collection`.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share(replay: .last(1))
  /// let slow = TestSubscriber<Int, Never>(initialDemand: .none)
  /// shared.joining(backlog: .size(2, whenFull: .dropOldest), label: "screen").subscribe(slow)
  /// (1...5).forEach { source.send($0) }
  /// for subscriber in shared.status.subscribers {
  ///   print(subscriber.label ?? "", "waiting", subscriber.waiting, "missed", subscriber.missed)
  /// }
  /// slow.cancel()
  /// // Prints:
  /// // screen waiting 2 missed 3
  /// ```
  public var status: SharingStatus {
    let access = _access
    let isConnected = access.claims?.isConnected ?? !access.hub.isEnded
    let isEnded = access.hub.isEnded
    let (cached, receivers) = access.hub.status { CountSubject() }
    return SharingStatus(
      isConnected: isConnected, isEnded: isEnded, cached: cached,
      subscribers: receivers.map {
        .init(
          label: $0.label, waiting: $0.waiting, missed: $0.missed, rejoins: $0.rejoinCount,
          conflated: $0.conflated)
      })
  }

  /// A publisher of the number of subscribers, loops over `values` included.
  ///
  /// A subscriber gets the number of this moment, and then each change. Changes that follow each
  /// other at once can arrive as one. Watching the number does not connect and does not count. The
  /// publisher never ends, also when the shared publisher is released. With a ``Restart``, read the
  /// property again after a new start: the publisher stays with the connection that was current
  /// when you read it.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// let source = PassthroughSubject<Int, Never>()
  /// let shared = source.share()
  /// let watching = shared.subscriberCount.sink { print($0) }
  /// let first = shared.sink { _ in }
  /// let second = shared.sink { _ in }
  /// first.cancel()
  /// second.cancel()
  /// watching.cancel()
  /// // Prints:
  /// // 0
  /// // 1
  /// // 2
  /// // 1
  /// // 0
  /// ```
  public var subscriberCount: some Publisher<Int, Never> & Sendable {
    Publishers.SubscriberCount(counter: _access.hub.receiverCounter { CountSubject() })
  }
}

extension Publishers {
  /// A publisher of the number of subscribers of a shared publisher.
  ///
  /// - Starts: with its subscriber.
  /// - Stops: when that cancels.
  /// - A late subscriber gets: the current number.
  /// - A slow subscriber: gets the newest number on its next request.
  /// - Memory: one number.
  ///
  /// - Completion: it never ends by itself.
  /// - Concurrency: the thread that delivers the shared publisher's values delivers the numbers.
  /// - Ownership: retains the counter, and not the shared publisher.
  struct SubscriberCount: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Never

    private let subject: any Subject<Int, Never>

    init(counter: ReceiverCounter) {
      let subject = (counter as? CountSubject)?.subject
      self.subject = subject ?? CurrentValueSubject<Int, Never>.unspecialized(0)
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      subject.receive(subscriber: subscriber)
    }
  }
}

/// The number of receivers as a subject, and the way of their events to an observer.
final class CountSubject: ReceiverCounter {
  let subject = CurrentValueSubject<Int, Never>.unspecialized(0)
  /// The newest number; only the holder of the drain uses it.
  private var count = 0
  let events: ObserverEvents?

  init(_ events: ObserverEvents? = nil) {
    self.events = events
    super.init(wantsEvents: events != nil)
  }

  override func receive(count: Int) {
    guard self.count != count else { return }
    self.count = count
    subject.send(count)
  }

  override func noteJoin(label: String?) -> Int { events?.noteJoin(label: label) ?? 0 }

  override func note(_ event: ReceiverEvent, number: Int, label: String?) {
    events?.note(event, number: number, label: label)
  }

  override func deliver() { events?.tell() }
}
