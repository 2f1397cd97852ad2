// Relaxed loads: invariant: a cancel that a delivery must see was made on its own thread, or the
// delivering thread has met its note by an acquiring operation. Any other cancel counts as later
// than the delivery.

public import Synchronization

/// The signals that any thread sets on a cursor.
@usableFromInline
enum CursorSignal: Sendable {
  /// The cursor was cancelled or has ended: no delivery starts on it.
  @inlinable static var stopped: UInt32 { 1 }
  /// The receiver has its subscription, so deliveries may start.
  static var ready: UInt32 { 2 }
  /// The receiver has requested a value.
  static var asked: UInt32 { 4 }
  /// The cursor is counted among those that have requested a value.
  static var counted: UInt32 { 8 }
  /// The cursor was cancelled: not even its end is delivered.
  static var cancelled: UInt32 { 16 }
  /// The cursor was counted out, and is never counted in again.
  static var countedOut: UInt32 { 32 }
  /// The owner of the hub learns that the receiver leaves, or has learnt it.
  static var left: UInt32 { 64 }
  /// The receiver waits for a start, and gets no value until then; only the holder of the drain
  /// sets this.
  static var awaitsStart: UInt32 { 128 }
  /// Values that are not requested are kept for the receiver, also in a hub that loses them for
  /// others; set before it joins.
  static var keepsValues: UInt32 { 256 }
  /// The cursor waits in the inbox for its turn to join; set and cleared under the lock of the
  /// inbox.
  static var queued: UInt32 { 512 }
  /// A message of the receiver waits for the holder of the drain, so that it leaves no other.
  static var noted: UInt32 { 1024 }
  /// The receiver takes only some values (`Selection`); set before it joins.
  static var selects: UInt32 { 2048 }
  /// The policy of the receiver's own backlog can drop values; set before it joins.
  static var drops: UInt32 { 4096 }
  /// The signals of a sink from the beginning, `ready`, `asked` and `counted`: it needs no
  /// subscription, and asks for everything.
  @inlinable static var ofSink: UInt32 { 2 | 4 | 8 }

  /// The signals of the cursors that a pass skips.
  static var skipped: UInt32 { stopped | awaitsStart }
}

extension Cursor {
  @inlinable @inline(__always) final var isStopped: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.stopped != 0
  }

  /// Whether it gets no value until the next start.
  @inline(__always) final var awaitsStart: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.awaitsStart != 0
  }

  /// Whether it takes only some values.
  @inline(__always) final var selects: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.selects != 0
  }

  /// Whether no value may be given to it now.
  @inline(__always) final var isSkipped: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.skipped != 0
  }

  /// Whether it joins on terms of its own, and not on those of the hub.
  @inline(__always) package final var hasOwnTerms: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.keepsValues != 0
  }

  @inline(__always) final var isCancelled: Bool {
    signals.load(ordering: .relaxed) & CursorSignal.cancelled != 0
  }

  /// Reports that the receiver leaves, unless a cancel does so.
  ///
  /// The owner is entered, because a cancel on another thread may release it; if it is closed, that
  /// cancel reports.
  final func leaveAtEnd() {
    _ = owner.withObject { _ in
      let said = signals.bitwiseOr(CursorSignal.left, ordering: .acquiringAndReleasing).oldValue
      if said & CursorSignal.left == 0 { didLeave(atEnd: true) }
    }
  }

  @inline(__always) final var isReady: Bool {
    signals.load(ordering: .acquiring) & CursorSignal.ready != 0
  }

  // The flags, which only the holder of the drain uses, are one byte together.

  @inline(__always)
  private final func set(_ flag: UInt8, _ isSet: Bool) {
    if isSet { flags |= flag } else { flags &= ~flag }
  }

  /// Whether it lacks something that the hub has already passed on.
  final var isBehind: Bool {
    @inline(__always) get { flags & 1 != 0 }
    @inline(__always) set { set(1, newValue) }
  }

  /// Whether it is counted among the receivers that need more than being called.
  final var isIrregular: Bool {
    @inline(__always) get { flags & 2 != 0 }
    @inline(__always) set { set(2, newValue) }
  }

  /// Whether it is counted among the receivers that do not have their subscription yet.
  final var lacksSubscription: Bool {
    @inline(__always) get { flags & 4 != 0 }
    @inline(__always) set { set(4, newValue) }
  }

  /// Whether it waits in the hub's list of the cursors to run.
  final var isDue: Bool {
    @inline(__always) get { flags & 8 != 0 }
    @inline(__always) set { set(8, newValue) }
  }

  /// Whether it has let go of its receiver and of the owner.
  package final var isDetached: Bool {
    @inline(__always) get { flags & 16 != 0 }
    @inline(__always) set { set(16, newValue) }
  }

  /// Whether its backlog has a policy, and is a `LimitedBacklog`.
  package final var isLimited: Bool {
    @inline(__always) get { flags & 32 != 0 }
    @inline(__always) set { set(32, newValue) }
  }

  /// Whether it is told more than its values, and is a `DemandCursor`.
  package final var receivesNotices: Bool {
    @inline(__always) get { flags & 64 != 0 }
    @inline(__always) set { set(64, newValue) }
  }

  /// Whether it is behind and has requested nothing, and no value needs work for it; see
  /// `Hub+Stall`.
  final var isStalled: Bool {
    @inline(__always) get { flags & 128 != 0 }
    @inline(__always) set { set(128, newValue) }
  }

  /// Whether it is a `SinkCursor`, and not a `DemandCursor`; any thread may ask.
  @inlinable @inline(__always) final var isSink: Bool { kind == .max }
}
