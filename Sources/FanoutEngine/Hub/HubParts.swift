// Unsafe cast: invariant: `Worklist.due` holds cursors of this hub only.

public import Synchronization

/// The state of a hub that any thread may read.
@usableFromInline struct HubSignals: ~Copyable, Sendable {
  /// The connection whose values are accepted; it changes only under the lock of the inbox.
  @usableFromInline let gate: AtomicValue<Int>
  /// The number of attached receivers that have requested a value, which any thread changes.
  let demandingReceivers = AtomicValue<Int>(0)
  /// Whether an upstream may not have been asked yet, because no receiver had requested a value.
  let hasUnrequested = AtomicValue<Bool>(false)
  /// Whether the holder of the drain is calling receivers and will not touch the retained values
  /// before it has looked at the notes of the drain.
  ///
  /// Only the holder changes it, for `borrowReplay(for:_:_:)` and for threads that look at the
  /// replay.
  @usableFromInline let retentionIsFree = AtomicValue<Bool>(false)

  /// Whether the holder of the drain is calling receivers and will not change what a newcomer would
  /// get before it has looked at the notes of the drain or taken the lock of the inbox.
  let replayIsStable = AtomicValue<Bool>(false)
  /// Whether what a newcomer gets is not simply a stretch of the log, or it may have to wait for
  /// its start.
  let newcomersWait: AtomicValue<Bool>
  /// The mark of the thread that does what was left, or 0 (`Hub+Handover`).
  let deliverer = Atomic<UInt>(0)
  /// The mark of a thread that calls user code before what is kept is stable again, or 0
  /// (`Hub+Status`).
  ///
  /// It is one greater behind a value that a cache has recorded, which may be over.
  let recorder = Atomic<UInt>(0)
  /// The number of senders that are about to take the lock of the inbox while the deliverer looks
  /// for one.
  let arriving = Atomic<Int>(0)
  /// The number of attached receivers that take every value, without loops that fetch.
  let plainReceivers = AtomicValue<Int>(0)
  /// Whether a loop rejoins at a start, so that a sender asks of each value whether it is one.
  let loopsSeekStarts = AtomicValue<Bool>(false)
  /// Whether the accounts of the receivers have been read.
  let areAccountsRead = AtomicValue<Bool>(false)
  /// The observer of the receivers, or of their number, once there is one.
  let counter = AtomicReference()

  init(gate: Int, newcomersWait: Bool) {
    self.gate = AtomicValue(gate)
    self.newcomersWait = AtomicValue(newcomersWait)
  }
}

/// The receivers of a hub, and how many of them need which care.
@usableFromInline
package struct Membership<Element, End> {
  @usableFromInline package var slots = SlotList()
  /// The number of attached receivers that cannot simply be called with each value.
  @usableFromInline var irregular = 0
  /// The number of attached receivers whose policy limits what the upstream is asked for, in a hub
  /// that does so; without loops that fetch.
  var waiting = 0
  /// The number of receivers that have not taken the newest value.
  var behind = 0
  /// The number of attached receivers that wait for a start.
  var awaiting = 0
  /// The number of attached receivers that are too slow and have no start ahead, if the upstream is
  /// asked for one.
  var lackingStart = 0
  /// The number of attached receivers with a backlog of their own in a hub that has no log
  /// otherwise, without sinks, and one more if accounts are watched.
  var extras = 0
  /// The accounts of the attached receivers, once these are kept readable for other threads.
  var accounts: [ObjectIdentifier: ReceiverAccount]?
  /// The number of attached receivers that do not have their subscription yet.
  @usableFromInline var lackingSubscription = 0
  /// The attached receivers that lag and have requested nothing, all of which are irregular.
  var stalled = StalledReceivers()
  /// Whether a careful pass or the end is going through the slots.
  ///
  /// No slot may move meanwhile. A straight pass detaches no receiver.
  var isPassing = false

  /// Whether the accounts of the receivers are kept readable for other threads.
  @inline(__always) var isWatched: Bool { accounts != nil }
}

/// The work that the holder of a hub's drain has taken up and not done yet.
@usableFromInline
package struct Worklist<Element, End> {
  /// The cursors to run, in order, from `dueHead` on; without the types of the hub, so that nothing
  /// is looked up.
  package var due: [DeliverySource] = []
  package var dueHead = 0
  /// Whether a cursor waits to be run, or the upstream may be asked for more.
  ///
  /// It is stored because it is read after each value.
  @usableFromInline var hasDue = false
  /// Whether the upstream may be asked for more.
  var isUpstreamRequestDue = false
  /// Whether a loop that fetches may have joined a hub that limits what it asks for.
  var hasLoops = false
  /// Whether the upstream may be asked for more when no accepted value is on its way any more.
  var isUpstreamRequestPostponed = false
  /// The number of requests and cancels that were taken up since the last turn of the rest.
  var controlCount = 0
  /// Work taken out of the inbox, last first.
  package var batch: [Work] = []
  /// The values of that work, oldest first.
  @usableFromInline package var values = Log<Element>()
  /// The pieces of the batch that the deliverer has brought itself.
  var own = OwnWork()
  /// The number of pieces of work and messages that other threads have left since the deliverer
  /// took the drain.
  var foreign = 0
  /// The number of turns after which the deliverer leaves the rest to another thread.
  var turnsBeforeRest = Handover.count
  /// Whether it has brought the piece that was taken up last.
  var isOwnTurn = false

  /// Adds a cursor, unless it is waiting to be run already.
  @inline(__always)
  mutating func addDue(_ cursor: Cursor<Element, End>) {
    guard !cursor.isDue else { return }
    cursor.isDue = true
    due.append(cursor)
    hasDue = true
  }

  /// Takes out the next cursor to run; returns nil if only the upstream is left to ask.
  @inline(__always)
  mutating func takeDue() -> Cursor<Element, End>? {
    guard dueHead < due.count else { return nil }
    let cursor = unsafeDowncast(due[dueHead], to: Cursor<Element, End>.self)
    cursor.isDue = false
    dueHead &+= 1
    if dueHead == due.count {
      due.removeAll(keepingCapacity: due.count <= 64)
      dueHead = 0
      hasDue = isUpstreamRequestDue
    }
    return cursor
  }
}
