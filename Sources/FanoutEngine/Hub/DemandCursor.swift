// Invariant: `credit` is reached by its creator before the cursor has its place, and after that
// only by the holder of the hub's drain. Unmanaged references: see `Cursor`.
//
// Unmanaged references and unsafe casts: invariant: the receiver of a `SinkCursor` is the
// `SinkClosures` that it was made with, and their source is the cursor, which retains them until it
// is detached. Until then the cursor is retained by its cancellable, or, after the cancel, by the
// message or the join in the inbox. So a slot that refers to the closures needs no retain.
//
// Unsafe casts: invariant: a cursor is a `SinkCursor` if its kind says so, and otherwise a
// `DemandCursor`.

internal import Synchronization

/// The place in a hub of a receiver that says how many values it takes.
@_fixed_layout
open class DemandCursor<Element, End>: Cursor<Element, End> {
  /// Hands a value to the receiver and says how many more it allows.
  ///
  /// It captures nothing and is formed where the receiver's type is known: it is specialised there,
  /// while an overridden method of a generic class never is. It is a `let` of an object, so calling
  /// it retains nothing.
  public typealias Deliver = (_ receiver: AnyObject, Element) -> Credit

  @usableFromInline let pending = CreditAccount()
  @usableFromInline package let deliver: Deliver
  @usableFromInline @exclusivity(unchecked) final var credit = Credit.none

  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// The caller passes owner and receiver retained; the cursor releases them.
  @inlinable
  public init(
    hub: Unmanaged<Hub<Element, End>>, owner: Unmanaged<AnyObject>,
    receiver: Unmanaged<AnyObject>, kind: UInt8 = 0, deliver: @escaping Deliver
  ) {
    self.deliver = deliver
    super.init(hub: hub, owner: owner, receiver: receiver, kind: kind)
  }

  public final override var hasMore: Bool { withHub { $0.hasMore(self) } ?? false }

  @inlinable
  @inline(__always)
  final func deliver(_ element: Element) -> Credit {
    receiver._withUnsafeGuaranteedRef { deliver($0, element) }
  }

  /// Allows more values, from any thread.
  ///
  /// If no delivery is running, this call delivers what is due. Otherwise the delivering thread
  /// does. A request for no values does nothing.
  public final override func request(_ more: Credit) {
    guard more != .none, !isStopped else { return }
    pending.add(more)
    let said = signals.bitwiseOr(CursorSignal.asked, ordering: .acquiringAndReleasing).oldValue
    guard said & CursorSignal.ready != 0 else { return }
    withHub { hub in
      if !hub.isLossy || said & CursorSignal.keepsValues != 0 { hub.attend(self) }
      if said & CursorSignal.counted == 0 { hub.receiverAsked(self) }
    }
  }
}

/// A sink on a hub: the place of closures that receive every value.
@_fixed_layout
open class SinkCursor<Element, End>: Cursor<Element, End> {
  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// The caller passes `owner` retained; the cursor releases it.
  @inlinable
  public init(
    hub: Unmanaged<Hub<Element, End>>, owner: Unmanaged<AnyObject>,
    closures: consuming SinkClosures<Element, End>
  ) {
    let retained = Unmanaged.passRetained(consume closures)
    super.init(
      hub: hub, owner: owner, receiver: .fromOpaque(retained.toOpaque()), kind: .max,
      signals: CursorSignal.ofSink)
    retained._withUnsafeGuaranteedRef { $0.adoptOwner(self) }
  }

  public final override func finish(_ end: End, detach: () -> Bool) {
    let receiveEnd = closures._withUnsafeGuaranteedRef { $0.receiveEnd }
    if detach() { receiveEnd?(end) }
  }
}

extension Cursor {
  /// The receiver of a `SinkCursor`.
  @inlinable
  final var closures: Unmanaged<SinkClosures<Element, End>> {
    @inline(__always) get { .fromOpaque(receiver.toOpaque()) }
  }
}

extension SinkClosures {
  /// The place of these closures in a hub; their source is the place.
  final var cursor: Unmanaged<Cursor<Element, End>>? { source.unmanaged() }
}

// A sink takes every value. So its cursor has no credit, and only the other cursors store one.
extension Cursor {
  @inlinable
  final var asDemandCursor: DemandCursor<Element, End> {
    @inline(__always) get { unsafeDowncast(self, to: DemandCursor<Element, End>.self) }
  }

  /// Whether credit is left for a value, counting only what the holder of the drain has taken up.
  @inlinable
  final var hasCredit: Bool {
    @inline(__always) get { isSink || asDemandCursor.credit != .none }
  }

  /// Whether that credit is unlimited.
  final var hasUnlimitedCredit: Bool {
    @inline(__always) get { isSink || asDemandCursor.credit.isUnlimited }
  }

  /// The credit that the receiver has left, with what the holder of the drain has not taken up yet.
  final var allCredit: Credit {
    isSink ? .unlimited : asDemandCursor.credit + asDemandCursor.pending.peek()
  }

  /// Adds the pending credit, if none is left or if the pending credit is unlimited.
  @inline(__always)
  final func takeUpCredit() {
    guard !isSink else { return }
    let cursor = asDemandCursor
    if cursor.credit == .none || cursor.pending.peek().isUnlimited {
      cursor.credit = cursor.credit + cursor.pending.take()
    }
  }

  /// Delivers a value for which there is credit, and takes it off the credit.
  @inlinable
  @inline(__always)
  final func deliverOnCredit(_ element: Element) {
    guard !isSink else {
      return closures._withUnsafeGuaranteedRef { $0.receiveValue(element) }
    }
    let cursor = asDemandCursor
    let more = cursor.deliver(element)
    cursor.credit = cursor.credit.afterOne + more
    if cursor.credit == .none { cursor.credit = cursor.pending.take() }
  }
}
