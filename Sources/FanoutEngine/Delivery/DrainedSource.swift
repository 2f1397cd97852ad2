// Relaxed loads and stores of `visitor`: it is a hint. A mark of a thread that has left the drain,
// or a note that comes late, lets a task continue earlier or later, and nothing else.

public import Synchronization

/// A source with a drain of its own: a thread that brings work while the source is idle delivers,
/// and every other thread leaves its work to that one.
///
/// So its deliveries never overlap or nest, and the delivering thread sees a request or a cancel of
/// another thread. The values in delivery belong to the holder of the drain.
open class DrainedSource: DeliverySource {
  /// The right to deliver.
  ///
  /// It is held from the start, so that no value comes before the subscription.
  public final let drain = Drain(running: true)
  /// The credit that was requested and that the drain has not taken up.
  public final let pending = CreditAccount()
  /// The mark of a thread that brought no value and delivers what others bring, with a bit that
  /// notes whether they do.
  final let visitor = AtomicValue<UInt>(0)
  /// The nodes to notify when no delivery runs any more.
  package final let receivers = Lock<[ChainNode]>([])
  @usableFromInline final let cancelled = AtomicValue<Bool>(false)
  /// Whether the source has released everything, so that it delivers nothing more.
  final let hasLetGo = AtomicValue<Bool>(false)

  /// Creates a source whose drain the caller holds until it has run out for the first time.
  public init() {
    super.init()
    #if FANOUT_EXPLORER
      SchedulePoint.controller?.watch(self)
    #endif
  }

  /// Does the work that was left until none is; a source that `isCancelled` calls `letGo()`.
  ///
  /// The caller holds the drain.
  ///
  /// - Parameter isLimited: Whether the thread brings no value, so that a task may continue after a
  ///   while. For a thread that brings one it may not: everything is delivered when the outermost
  ///   `send` returns (D3).
  open func runOut(isLimited: Bool) {}

  /// Delivers in turns until no work is left and the drain is free, or until a task continues in
  /// place of this thread.
  ///
  /// The caller holds the drain.
  ///
  /// - Parameters:
  ///   - isLimited: Whether a task may continue; see `runOut(isLimited:)`.
  ///   - isBlocked: The closure that returns, behind a turn, whether the source's queue is not
  ///     clear.
  ///   - turn: The closure that delivers up to `BoundedDelivery.count` values, and returns whether
  ///     it stopped at that number.
  @inline(__always)
  public final func runTurns(
    isLimited: Bool, isBlocked: () -> Bool = { false }, _ turn: () -> Bool
  ) {
    var turns = 0
    var visit = Visit()
    if isLimited { visitor.store(ThreadMark.number, ordering: .relaxed) }
    drain.run { _ in
      let isMore = turn()
      if isCancelled { letGo() }
      turns &+= 1
      if isLimited, isMore || turns > 1 {
        let isCounted = isMore || turns & (BoundedDelivery.count &- 1) == 0
        if isCounted, handsOver() { return .handedOver }
        if leavesRest(&visit) { return .handedOver }
      }
      return isMore ? .more : .done(isBlocked() ? .blocked : [])
    }
  }

  /// Passes the drain on to a task, if this thread brought no value and has delivered for others
  /// for a while (`Handover`); returns whether it did.
  @inline(never)
  package final func leavesRest(_ visit: inout Visit) -> Bool {
    guard visitor.load(ordering: .relaxed) & 1 != 0, visit.isOver() else { return false }
    visitor.store(0, ordering: .relaxed)
    BoundedDelivery.startLimitedTask { self.runOut(isLimited: true) }
    return true
  }

  /// Notes that this thread has left work to the holder of the drain.
  @inline(never)
  package final func noteOrigin() {
    let known = visitor.load(ordering: .relaxed)
    guard known != 0, known & 1 == 0, known != ThreadMark.number else { return }
    visitor.store(known | 1, ordering: .relaxed)
  }

  /// Passes the drain to a task if this thread's deliveries are limited; returns whether it did.
  @usableFromInline
  @inline(never)
  package final func handsOver() -> Bool {
    BoundedDelivery.handOver { self.runOut(isLimited: true) }
  }

  /// Called at each cancel, on the cancelling thread, before anything is released.
  open func willCancel() {}

  /// Releases everything and calls `didLetGo()`; the caller holds the drain.
  open func letGo() { didLetGo() }

  /// Whether the source was cancelled.
  @inlinable public final var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  public final override var isOver: Bool { hasLetGo.load(ordering: .acquiring) }

  /// Delivers the work that was just left, or leaves it to the holder of the drain.
  @inline(__always)
  public final func wake() {
    if drain.announce(.queued) { runOut(isLimited: false) } else { noteOrigin() }
  }

  open override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    pending.add(credit)
    if drain.announce(.queued) { runOut(isLimited: true) } else { noteOrigin() }
  }

  public final override func cancel(thenRelease receiver: ChainNode?) {
    cancelled.store(true, ordering: .releasing)
    willCancel()
    if isOver {
      receiver?._sourceDidQuiesce()
      return
    }
    if let receiver { receivers.withLock { $0.append(receiver) } }
    if drain.announce(.control) { runOut(isLimited: true) }
  }

  /// Notes that everything is released, and notifies the nodes that wait for that.
  public final func didLetGo() {
    hasLetGo.store(true, ordering: .sequentiallyConsistent)
    // A node comes only with a cancel, which sets a note behind it. If that cancel is not seen
    // here, its note is, and then this method is called again.
    guard isCancelled else { return }
    let told = receivers.withLock { receivers in
      let told = receivers
      receivers = []
      return told
    }
    for receiver in told { receiver._sourceDidQuiesce() }
  }
}

#if FANOUT_EXPLORER
  extension DrainedSource: WakingSource {
    /// The work that waits although no thread runs any more; nil if there is none.
    public var unserved: String? {
      drain.has([.queued, .control]) && !drain.has(.scheduled)
        ? "work was left to a thread that does not do it" : nil
    }
  }
#endif
