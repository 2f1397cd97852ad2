// Invariant: `credit` is reached by its creator before the cursor has its place, and after that only by the
// holder of the hub's drain. Unmanaged references: see `Cursor`.

public import Synchronization

/// The place in a hub of a receiver that says how many values it takes.
open class DemandCursor<Element, End>: Cursor<Element, End> {
  /// Hands a value to the receiver and says how many more it allows.
  ///
  /// It captures nothing and is formed where the receiver's type is known: it is specialised there,
  /// while an overridden method of a generic class never is. It is a `let` of an object, so calling
  /// it retains nothing.
  public typealias Deliver = (_ receiver: AnyObject, Element) -> Credit

  @usableFromInline let pending = PendingCredit()
  @usableFromInline package let deliver: Deliver
  @exclusivity(unchecked) @usableFromInline final var credit = Credit.none

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

  @inlinable
  @inline(__always)
  final func deliver(_ element: Element) -> Credit {
    receiver._withUnsafeGuaranteedRef { deliver($0, element) }
  }

  /// Allows more values, from any thread.
  ///
  /// If no delivery is running, this call delivers what is due. Otherwise the delivering thread does. A
  /// request for no values does nothing.
  @inlinable
  public final override func request(_ more: Credit) {
    guard more != .none, !isStopped else { return }
    pending.add(more)
    let said = signals.bitwiseOr(CursorSignal.asked, ordering: .acquiringAndReleasing).oldValue
    guard said & CursorSignal.ready != 0 else { return }
    withHub { hub in
      if !hub.isLossy || said & CursorSignal.keepsValues != 0 { hub.calls.attend(hub, self, nil) }
      if said & CursorSignal.counted == 0 { hub.receiverAsked(self) }
    }
  }
}
