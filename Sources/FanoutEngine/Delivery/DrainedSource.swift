public import Synchronization

/// A source that does its own delivering: whoever brings work while it is idle delivers, everybody
/// else leaves the work to that thread and goes.
///
/// So its deliveries never overlap or nest, and a request or a cancel that comes while another thread
/// delivers is seen by that thread. What is delivered belongs to the holder of the drain.
open class DrainedSource: DeliverySource {
  /// Who delivers; held from the start, so that nothing is delivered before the subscriber has been
  /// told.
  public final let drain = Drain(running: true)
  /// What was asked for and is not taken up yet.
  public final let pending = PendingCredit()
  @usableFromInline final let cancelled = AtomicValue<Bool>(false)
  /// Whether everything was let go of, so that nothing is delivered any more.
  @usableFromInline final let hasLetGo = AtomicValue<Bool>(false)
  /// Who is to be told when no delivery is running any more.
  @usableFromInline final let receivers = Lock<[Link]>([])

  /// Makes a source whose drain the caller holds, until it runs out for the first time.
  @inlinable
  public override init() { super.init() }

  /// Does what was left, until nothing is and the drain could be let go; the caller holds it.
  ///
  /// If it `isCancelled`, it has to let go of everything and then call `didLetGo()`.
  open func runOut() {}

  /// Called at each cancel before anything is let go of, on the thread that cancels.
  open func willCancel() {}

  /// Whether `cancel` was called.
  @inlinable
  public final var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  public final override var isOver: Bool { hasLetGo.load(ordering: .acquiring) }

  /// Sees to it that what has just been left is done.
  @inlinable
  @inline(__always)
  public final func wake() {
    if drain.announce(.queued) { runOut() }
  }

  @inlinable
  open override func request(_ credit: Credit) {
    guard credit != .none, !isCancelled, !isOver else { return }
    pending.add(credit)
    wake()
  }

  public final override func cancel(thenRelease receiver: Link?) {
    cancelled.store(true, ordering: .releasing)
    willCancel()
    if isOver {
      receiver?._releaseFromGuard()
      return
    }
    if let receiver { receivers.withLock { $0.append(receiver) } }
    if drain.announce(.attention) { runOut() }
  }

  /// Says that everything was let go of, and tells who waits for that.
  public final func didLetGo() {
    hasLetGo.store(true, ordering: .sequentiallyConsistent)
    let told = receivers.withLock { receivers in
      let told = receivers
      receivers = []
      return told
    }
    for receiver in told { receiver._releaseFromGuard() }
  }

  public final override func whileIdle(_ body: () -> Void) -> Bool {
    drain.look(body)
  }
}

extension DrainedSource {
  /// What every source of this kind holds.
  package final var drainedReferences: [HeldReference] {
    [.value("receivers", receivers.withLock { $0 })]
  }
}
