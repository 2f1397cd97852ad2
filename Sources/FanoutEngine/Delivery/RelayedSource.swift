// Invariant of `waiting`: it is changed by compare-exchange, and whoever takes a hook out of it owns
// that retain and runs it. Who puts `lookedAt` in its place owns the place until the hook is back.

public import Synchronization

/// A source in the middle of a chain: a receiver of the one above, a source for the one below.
open class RelayedSource<Body: ReceiverBody>: DeliverySource, GuardedReceiver {
  /// The receiving end.
  public let stage: ReceiverStage<Body>
  @usableFromInline let waiting = AtomicValue<UnsafeRawPointer?>(nil)

  /// Makes a link of a chain that uses `body` for its deliveries.
  @inlinable
  public init(_ body: Body) {
    stage = ReceiverStage(body)
    super.init()
  }

  deinit { _ = takeWaiting() }

  /// Closes at the end of the source above, lets go of it, and returns what `body` took out.
  @inlinable
  public final func finish<Result>(taking body: (Body) -> Result) -> Result? {
    let result = stage.finish(for: self, taking: body)
    // A cancel that still saw the guard may have left its hook after the guard was given up.
    runIfUnguarded()
    return result
  }

  open override func request(_ credit: Credit) {
    if credit != .none { stage.request(credit) }
  }

  /// Accepts the source above.
  ///
  /// Returns false if it was cancelled, because there is one already or because this link is
  /// closed.
  public final func attach(_ source: DeliverySource) -> Bool {
    stage.attach(source, for: self)
  }

  public final override func cancel(thenRelease receiver: (any GuardedReceiver)?) {
    willCancel()
    let body = stage.withBody { $0 }
    if let receiver { leave(ReleaseHook(receiver)) }
    stage.cancel(for: self)
    runIfUnguarded()
    if let body { didCancel(body) }
  }

  public final override func whileIdle(_ body: () -> Void) -> Bool {
    (stage.withBody { $0.adopted } ?? nil)?.whileIdle(body) ?? false
  }

  /// Called at each cancel, before anything else.
  open func willCancel() {}

  /// Called when a cancel has been passed on, unless this link was closed before it.
  open func didCancel(_ body: Body) {}

  /// Lets go of the body, and tells the receiver below, if it waits for that.
  public final func releaseFromGuard() {
    stage.release()
    takeWaiting()?.run()
  }

  @usableFromInline
  final func leave(_ hook: ReleaseHook) {
    let pointer = UnsafeRawPointer(Unmanaged.passRetained(hook).toOpaque())
    guard let old = replaceWaiting(by: pointer) else { return }
    Unmanaged<ReleaseHook>.fromOpaque(old).takeRetainedValue().run()
  }

  /// Puts a hook, or none, in the place of the one that waits, and returns that.
  @usableFromInline
  final func replaceWaiting(by hook: UnsafeRawPointer?) -> UnsafeRawPointer? {
    while true {
      let known = waiting.load(ordering: .sequentiallyConsistent)
      if known == nil, hook == nil { return nil }
      // Who only looks at the hook puts it back in a moment.
      guard known != Self.lookedAt else { continue }
      let (isReplaced, _) = waiting.compareExchange(
        expected: known, desired: hook, ordering: .sequentiallyConsistent)
      if isReplaced { return known }
    }
  }

  /// Stands for a hook while somebody looks at it.
  @usableFromInline static var lookedAt: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

  /// Not guarded, or not any more: the receiver below is protected by its own counting.
  @usableFromInline
  final func runIfUnguarded() {
    if !stage.isGuarded { takeWaiting()?.run() }
  }

  @usableFromInline
  final func takeWaiting() -> ReleaseHook? {
    guard let hook = replaceWaiting(by: nil) else { return nil }
    return Unmanaged<ReleaseHook>.fromOpaque(hook).takeRetainedValue()
  }
}

/// Who waits, below a link of a chain, for the end of a delivery.
@usableFromInline
final class ReleaseHook {
  let receiver: any GuardedReceiver
  init(_ receiver: any GuardedReceiver) { self.receiver = receiver }
  func run() { receiver.releaseFromGuard() }
}

@available(*, unavailable)
extension ReleaseHook: Sendable {}

extension RelayedSource {
  /// What every link of a chain holds.
  package final var relayReferences: [HeldReference] {
    var held = stage.heldReferences
    if let hook = waitingHook { held.append(.value("waiting", hook)) }
    return held
  }

  private var waitingHook: ReleaseHook? {
    let known = waiting.load(ordering: .acquiring)
    guard let pointer = known, known != Self.lookedAt,
      waiting.compareExchange(
        expected: known, desired: Self.lookedAt, ordering: .sequentiallyConsistent
      ).exchanged
    else { return nil }
    let hook = Unmanaged<ReleaseHook>.fromOpaque(pointer).retain()
    waiting.store(known, ordering: .sequentiallyConsistent)
    return hook.takeRetainedValue()
  }
}

extension ReleaseHook: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("receiver", receiver)] }
}
