// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of the
// hub's drain. `hub` is used only inside `owner.withObject`, or by who retains the owner meanwhile.
// `receiver` is retained from `init` on, and released by whoever detaches the cursor, or in `deinit`
// if nobody did; it is used only by the holder of the drain while the cursor is attached.

public import Synchronization

/// One receiver's place in a hub: how far it has come, and how much more it allows.
///
/// It retains the owner of the hub and the receiver, until it is cancelled or the end has been
/// delivered. There is one for each subscriber, so its size is minded: the order of its properties
/// leaves no gaps.
open class Cursor<Element, End>: DeliverySource {
  /// Hands a value to the receiver and says how many more it allows.
  ///
  /// It captures nothing and is formed where the receiver's type is known: it is specialised there,
  /// while an overridden method of a generic class never is. It is a `let` of an object, so calling
  /// it retains nothing.
  public typealias Deliver = (_ receiver: AnyObject, Element) -> Credit

  @usableFromInline let owner: GuardedReference
  @usableFromInline let signals = AtomicValue<UInt32>(0)
  @usableFromInline let pending = PendingCredit()
  @usableFromInline unowned(unsafe) let hub: Hub<Element, End>
  @usableFromInline let deliver: Deliver
  @usableFromInline let receiver: Unmanaged<AnyObject>

  @exclusivity(unchecked) @usableFromInline final var credit = Credit.none
  /// Values for this receiver alone, in front of its place in the log.
  @exclusivity(unchecked) @usableFromInline final var backlog: Backlog<Element>?
  /// Where the next value in the log for this receiver lies; set only while it rests there.
  @exclusivity(unchecked) @usableFromInline final var chunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) @usableFromInline final var slot: Int32 = -1
  /// The place in the chunk.
  @exclusivity(unchecked) @usableFromInline final var offset: UInt16 = 0
  @exclusivity(unchecked) @usableFromInline final var flags = CursorFlags()
  /// Which kind of publisher it comes from; for the owner of the hub.
  public final let kind: UInt8

  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// It takes its place with `join()` or `start(asking:)`.
  @inlinable
  public init(
    hub: Hub<Element, End>, owner: AnyObject, receiver: AnyObject, kind: UInt8 = 0,
    deliver: @escaping Deliver
  ) {
    self.hub = hub
    self.owner = GuardedReference(owner)
    self.receiver = Unmanaged.passRetained(receiver)
    self.kind = kind
    self.deliver = deliver
    super.init()
  }

  @inlinable
  deinit {
    if !isDetached { receiver.release() }
  }

  @inlinable
  @inline(__always)
  final func deliver(_ element: Element) -> Credit {
    receiver._withUnsafeGuaranteedRef { deliver($0, element) }
  }

  /// Hands the end over.
  ///
  /// Called at most once, after the last value.
  open func finish(_ end: End, _ receiver: AnyObject) {}

  /// Takes its place: behind every value accepted so far, before every later one.
  ///
  /// Called by who retains the owner.
  @inlinable
  public final func join() { hub.join(self) }

  /// Lets deliveries start; called once, when the receiver has returned from being told.
  @inlinable
  public final func begin() {
    let said = signals.bitwiseOr(CursorSignal.ready, ordering: .acquiringAndReleasing).oldValue
    _ = owner.withObject { _ in
      hub.attend(self)
      if said & CursorSignal.asked != 0 { hub.receiverAsked(self) }
    }
  }

  /// Takes its place and starts at once, for a receiver that need not be told of its subscription.
  ///
  /// Called by who retains the owner, instead of `join()` and `begin()`.
  @inlinable
  public final func start(asking credit: Credit) {
    pending.add(credit)
    signals.bitwiseOr(CursorSignal.ready | CursorSignal.asked, ordering: .acquiringAndReleasing)
    hub.join(self)
    hub.receiverAsked(self)
  }

  /// Allows more values, from any thread; what is due is delivered before this returns, unless a
  /// delivery is in progress: then by the thread that delivers.
  ///
  /// Nothing at all asks for nothing.
  @inlinable
  public final override func request(_ more: Credit) {
    guard more != .none, !isStopped else { return }
    pending.add(more)
    let said = signals.bitwiseOr(CursorSignal.asked, ordering: .acquiringAndReleasing).oldValue
    guard said & CursorSignal.ready != 0 else { return }
    _ = owner.withObject { _ in
      if !hub.isLossy { hub.attending(hub, self, nil) }
      if said & CursorSignal.counted == 0 { hub.receiverAsked(self) }
    }
  }

  public final override func cancel(thenRelease receiver: (any GuardedReceiver)?) {
    let said = signals.bitwiseOr(
      CursorSignal.stopped | CursorSignal.cancelled | CursorSignal.counted
        | CursorSignal.countedOut,
      ordering: .acquiringAndReleasing
    ).oldValue
    let reached: Void? = owner.withObject { _ in
      // Not only when it is taken out: who connects meanwhile must not ask for its sake.
      if said & (CursorSignal.counted | CursorSignal.countedOut) == CursorSignal.counted {
        hub.countOutOne()
      }
      hub.attending(hub, self, receiver)
    }
    if reached == nil { receiver?.releaseFromGuard() }
  }

  public final override func whileIdle(_ body: () -> Void) -> Bool {
    owner.withObject { _ in hub.whileIdle(body) } ?? false
  }
}

extension Cursor {
  /// What every cursor holds.
  package final var cursorReferences: [HeldReference] {
    let held = owner.withObject { owner -> [HeldReference] in
      var held: [HeldReference] = [.busy("receiver")]
      _ = hub.whileIdle {
        held = isDetached ? [] : [.value("receiver", receiver.takeUnretainedValue())]
        if let backlog {
          held += [.value("backlog", backlog), .value("backlog.log", backlog.log.values)]
        }
      }
      return [.value("owner", owner), .unretained("hub", hub)] + held
    }
    return (held ?? []) + [.closure("deliver", deliver)]
  }
}
