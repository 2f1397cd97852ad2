// Invariant: properties marked `@exclusivity(unchecked)` are reached only by the holder of the
// hub's drain. `hub` is used only inside `owner.withObject`, and the owner retains the hub.

public import Synchronization

/// One receiver's place in a hub: how far it has come, and how much more it allows.
///
/// It retains the owner of the hub, and its outlet the receiver, until it is cancelled or the end
/// has been delivered.
open class Cursor<Element, End>: DeliverySource {
  /// What any thread may say about a cursor.
  @frozen
  @usableFromInline
  enum Signal {
    /// It was cancelled, or has ended: nothing more starts on it.
    @inlinable static var stopped: UInt { 1 }
    /// The receiver has been told of its subscription, so deliveries may start.
    @inlinable static var ready: UInt { 2 }
    /// It has asked for something.
    @inlinable static var asked: UInt { 4 }
    /// It is counted among those who have asked.
    @inlinable static var counted: UInt { 8 }
    /// It was cancelled: not even its end is delivered any more.
    @inlinable static var cancelled: UInt { 16 }
    /// It was counted out, and is not counted in any more.
    @inlinable static var countedOut: UInt { 32 }
  }

  @usableFromInline let signals = AtomicValue<UInt>(0)
  @usableFromInline let pending = PendingCredit()
  @usableFromInline let owner: GuardedReference<AnyObject>
  @usableFromInline unowned(unsafe) let hub: Hub<Element, End>

  @exclusivity(unchecked) @usableFromInline final var outlet: Outlet<Element, End>?
  @exclusivity(unchecked) @usableFromInline final var credit = Credit.none
  /// Values for this receiver alone, in front of its place in the log.
  @exclusivity(unchecked) @usableFromInline final var backlog: Backlog<Element>?
  /// The next value in the log for this receiver; means something only while it is behind.
  @exclusivity(unchecked) @usableFromInline final var index = 0
  @exclusivity(unchecked) @usableFromInline final var chunk: UnsafeMutableRawPointer?
  @exclusivity(unchecked) @usableFromInline final var slot: Int32 = -1
  /// Whether it lacks something that the hub has already passed on.
  @exclusivity(unchecked) @usableFromInline final var isBehind = false
  /// Whether it is counted among those who need more than being called.
  @exclusivity(unchecked) @usableFromInline final var isIrregular = false
  /// Whether it is counted among those who are still being told of their subscription.
  @exclusivity(unchecked) @usableFromInline final var isUntold = false
  /// Whether it waits in the hub's list of those who are to be run.
  @exclusivity(unchecked) @usableFromInline final var isDue = false
  @exclusivity(unchecked) @usableFromInline final var isDetached = false

  /// Makes a cursor of a hub that `owner` retains.
  ///
  /// It takes its place with `join()`.
  @inlinable
  public init(hub: Hub<Element, End>, owner: AnyObject, outlet: Outlet<Element, End>) {
    self.hub = hub
    self.owner = GuardedReference(owner)
    self.outlet = outlet
    super.init()
  }

  @inlinable final var isStopped: Bool {
    signals.load(ordering: .relaxed) & Signal.stopped != 0
  }

  @inlinable final var isCancelled: Bool {
    signals.load(ordering: .relaxed) & Signal.cancelled != 0
  }

  @inlinable final var isReady: Bool {
    signals.load(ordering: .acquiring) & Signal.ready != 0
  }

  /// Takes its place: behind every value accepted so far, before every later one.
  @inlinable
  public final func join() {
    _ = owner.withObject { _ in hub.join(self) }
  }

  /// Lets deliveries start; called once, when the receiver has returned from being told.
  @inlinable
  public final func begin() {
    let said = signals.bitwiseOr(Signal.ready, ordering: .acquiringAndReleasing).oldValue
    _ = owner.withObject { _ in
      hub.attend(self)
      if said & Signal.asked != 0 { hub.receiverAsked(self) }
    }
  }

  /// Allows more values, from any thread; what is due is delivered before this returns, unless a
  /// delivery is in progress: then by the thread that delivers.
  ///
  /// Nothing at all asks for nothing.
  @inlinable
  public final override func request(_ more: Credit) {
    guard more != .none, !isStopped else { return }
    pending.add(more)
    let said = signals.bitwiseOr(Signal.asked, ordering: .acquiringAndReleasing).oldValue
    guard said & Signal.ready != 0 else { return }
    _ = owner.withObject { _ in
      if !hub.isLossy { hub.attend(self) }
      if said & Signal.counted == 0 { hub.receiverAsked(self) }
    }
  }

  public final override func cancel(thenRelease release: (() -> Void)?) {
    signals.bitwiseOr(Signal.stopped | Signal.cancelled, ordering: .acquiringAndReleasing)
    let reached: Void? = owner.withObject { _ in
      // Not only when it is taken out: who connects meanwhile must not ask for its sake.
      hub.countOut(self)
      hub.attend(self, release: release)
    }
    if reached == nil { release?() }
  }

  public final override func whileIdle(_ body: () -> Void) -> Bool {
    owner.withObject { _ in hub.whileIdle(body) } ?? false
  }
}

extension Cursor {
  /// What every cursor holds.
  package final var cursorReferences: [HeldReference] {
    let held = owner.withObject { owner -> [HeldReference] in
      var held: [HeldReference] = [.busy("outlet")]
      _ = hub.whileIdle {
        held = outlet.map { [.value("outlet", $0)] } ?? []
        if let backlog {
          held += [.value("backlog", backlog), .value("backlog.log", backlog.log.values)]
        }
      }
      return [.value("owner", owner), .unretained("hub", hub)] + held
    }
    return held ?? []
  }
}
