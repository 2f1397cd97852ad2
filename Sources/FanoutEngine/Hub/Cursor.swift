// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of the
// hub's drain. `hub` is used only while the owner is entered, as in `withHub(_:)`: the owner
// retains it. `receiver` is retained from `init` on, and released by the thread that detaches the
// cursor, or in `deinit` if none did; it is used only by the holder of the drain while the cursor
// is attached.

public import Synchronization

/// One receiver's place in a hub: how far it has come.
///
/// It retains the owner of the hub and the receiver, until it is cancelled or the end has been
/// delivered. It is a `DemandCursor` or a `SinkCursor`. There is one for each subscriber, so it is
/// kept small: its properties are ordered without gaps.
@_fixed_layout
open class Cursor<Element, End>: DeliverySource {
  @usableFromInline package let owner: RundownReference
  @usableFromInline let signals: AtomicValue<UInt32>
  @usableFromInline package let hub: Unmanaged<Hub<Element, End>>
  @usableFromInline package let receiver: Unmanaged<AnyObject>

  /// Values for this receiver alone, in front of its place in the log.
  @exclusivity(unchecked) package final var backlog: ValueQueue<Element>?
  /// The place of this receiver's next value in the log; set only while it rests there.
  @exclusivity(unchecked) final var chunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) final var slot: Int32 = -1
  /// The place in the chunk.
  @exclusivity(unchecked) final var offset: UInt16 = 0
  @exclusivity(unchecked) final var flags: UInt8 = 0
  /// The kind of publisher, for the hub's owner; `.max` marks a sink.
  public final let kind: UInt8

  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// The caller passes owner and receiver retained; the cursor releases them.
  ///
  /// It takes its place with the hub's `join(_:)` or `start(_:asking:)`.
  @inlinable
  init(
    hub: Unmanaged<Hub<Element, End>>, owner: Unmanaged<AnyObject>,
    receiver: Unmanaged<AnyObject>, kind: UInt8, signals: UInt32 = 0
  ) {
    self.hub = hub
    self.signals = AtomicValue(signals)
    self.owner = RundownReference(owner)
    self.receiver = receiver
    self.kind = kind
    super.init()
  }

  deinit {
    if !isDetached { receiver.release() }
  }

  public final override func disallowDrops() -> Bool {
    guard !hasOwnTerms else { return signals.load(ordering: .relaxed) & CursorSignal.drops != 0 }
    return withHub { $0.dropsUnrequested } ?? false
  }

  /// Passes the end to the receiver, after `detach` has released everything else; if `detach`
  /// returns false, the receiver was cancelled meanwhile and gets no end.
  ///
  /// Called at most once, after the last value.
  open func finish(_ end: End, detach: () -> Bool) {
    fatalError("Cursor.finish(_:detach:) is abstract; override it in the subclass.")
  }

  /// Called once, when the cursor was cancelled or is about to hand the end over; the owner is
  /// entered.
  ///
  /// A cancel calls it on its own thread, which may run while another one delivers.
  open func didLeave(atEnd: Bool) {}

  /// Lets deliveries start; called once, when the receiver has returned from being told.
  public final func begin() {
    let said = signals.bitwiseOr(CursorSignal.ready, ordering: .acquiringAndReleasing).oldValue
    withHub { hub in
      hub.attend(self)
      if said & CursorSignal.asked != 0 { hub.receiverAsked(self) }
    }
  }

  /// Runs `body` with the hub, unless the cursor is detached.
  @inline(__always)
  @discardableResult
  package final func withHub<Result>(_ body: (Hub<Element, End>) -> Result) -> Result? {
    owner.withObject { _ in hub._withUnsafeGuaranteedRef(body) }
  }

  public final override func cancel(thenRelease receiver: ChainNode?) {
    let cancelled = CursorSignal.stopped | CursorSignal.cancelled
    // As in `withHub(_:)`, whose closure would be too large for the optimiser to inline. A sink is
    // cancelled once and makes no requests, so that this may be the only user of the owner, and its
    // last.
    let isTaken = isSink && owner.take()
    let isAttached =
      isTaken || (isSink ? owner.enterClosing(isCancel: false) : owner.enter())
    defer {
      if isTaken { owner.releaseTaken() } else if isAttached || !isSink { owner.leave() }
    }
    guard isAttached else {
      signals.bitwiseOr(cancelled, ordering: .acquiringAndReleasing)
      receiver?._sourceDidQuiesce()
      return
    }
    // The owner was entered first, because another cancel may release it as soon as this one is
    // counted out.
    let said = signals.bitwiseOr(
      cancelled | CursorSignal.counted | CursorSignal.countedOut | CursorSignal.left,
      ordering: .acquiringAndReleasing
    ).oldValue
    // Not only when it is taken out: a connection that is made meanwhile must not ask for its sake.
    if said & (CursorSignal.counted | CursorSignal.countedOut) == CursorSignal.counted {
      hub._withUnsafeGuaranteedRef { $0.countOutReceiver() }
    }
    hub._withUnsafeGuaranteedRef { $0.attend(self, thenRelease: receiver) }
    if said & CursorSignal.left == 0 { didLeave(atEnd: false) }
  }
}
