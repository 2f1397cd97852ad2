// `@unchecked Sendable` invariant: the body is used only through its `RundownReference`; its source
// is set once, atomically, and released with it. Unsafe casts: the object of the reference is the
// body that the stage was made with, and a body's source is set to a `DeliverySource` only.

/// The properties that a delivery uses, as `let` properties of a subclass, which are read without a
/// retain.
open class ReceiverBody {
  /// The source; set by the one caller that noted it in the stage.
  @usableFromInline let source = AtomicReference()

  /// Creates a body without a source.
  public init() { noteCreation(of: self, isPart: true) }

  final func adopt(_ adopted: DeliverySource) { source.setAlone(adopted) }

  /// Accepts the source that owns this object, before another thread reaches either.
  ///
  /// The source lives as long as a delivery may use this object.
  @usableFromInline
  final func adoptOwner(_ owner: DeliverySource) { source.setUnretained(owner) }

  /// Runs `body` with the source, if there is one.
  ///
  /// The caller keeps this object alive.
  public final func withAdopted(_ body: (DeliverySource) -> Void) {
    source.withObject { body(unsafeDowncast($0, to: DeliverySource.self)) }
  }

  /// The source if this object retains it, for a caller that holds nothing else.
  package final var retainedSource: DeliverySource? {
    source.retainedObject.map { unsafeDowncast($0, to: DeliverySource.self) }
  }

  /// Returns whether an object is the source; both are compared only.
  package final func isAdopted(by owner: DeliverySource) -> Bool { source.refers(to: owner) }

  /// The source, or nil until it is set.
  public final var adopted: DeliverySource? {
    source.object.map { unsafeDowncast($0, to: DeliverySource.self) }
  }
}

/// The receiving end of a source: it holds the body that deliveries use, and releases it at the
/// cancel and at the end.
///
/// `Body` is the type that callers know. Code other than a delivery is inlined or not generic, so
/// that it looks up no types where it is not specialised.
@frozen
public struct ReceiverStage<Body: ReceiverBody>: ~Copyable, @unchecked Sendable {
  @usableFromInline package let reference: RundownReference

  /// Creates a stage without a source.
  public init(_ body: consuming Body) {
    reference = RundownReference(.passRetained(body))
  }

  /// Whether the stage was cancelled or has ended.
  public var isClosed: Bool {
    @inline(__always) get { reference.isClosed }
  }

  /// Accepts a source that guards the deliveries, before its subscription arrives; returns false if
  /// the stage is closed, has another source, or is in use just now.
  @inline(__always)
  @discardableResult
  public borrowing func adoptGuard(_ source: DeliverySource) -> Bool {
    reference.adoptGuard(source)
  }

  /// Accepts a source; returns false, having cancelled it, if the stage is closed or has another.
  ///
  /// If a cancel came first, the source is passed `receiver`, the owner of this stage.
  @inline(__always)
  public borrowing func attach(_ source: DeliverySource, for receiver: ChainNode) -> Bool {
    reference.attach(source, for: receiver)
  }

  /// Notes that the publisher has ended before its subscription; returns false if it has sent one.
  ///
  /// A subscription that comes later is refused, and cancelled.
  public borrowing func noteEarlyEnd() -> Bool { reference.refuseSource() }

  /// Runs `body` for one value without counting a user; or `otherwise`, if no source guards the
  /// stage, it is closed, or a user is counted.
  ///
  /// Only the source may call it: the guard covers no other call. Each closure is called in one
  /// place, so that it is inlined there.
  @inline(__always)
  public borrowing func deliver<Result>(
    _ body: (Body) -> Result, otherwise: () -> Result
  ) -> Result {
    if reference.isGuardedAndOpen {
      return reference.object._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Body.self)) }
    }
    return otherwise()
  }

  /// Runs `body` outside of a delivery and returns its result, or nil if closed.
  @inlinable
  @inline(__always)
  public borrowing func withBody<Result>(_ body: (Body) -> Result) -> Result? {
    reference.withObject { body(unsafeDowncast($0, to: Body.self)) }
  }

  /// Requests more values from the source.
  @inline(__always)
  public borrowing func request(_ credit: Credit) { reference.request(credit) }

  /// Returns whether the source drops what is not requested, so that everything is to be requested.
  public borrowing func disallowDrops() -> Bool { reference.disallowDrops() }

  /// Closes at the source's end, releases the source and the body, and returns what `body` took out
  /// of it, or nil if the stage was closed before.
  ///
  /// So nothing of the upstream is retained when the end is handed on. A source that guards the
  /// stage says when that is safe, and tells `receiver`, whose stage this is: another may have said
  /// the end, while a delivery is running.
  @inlinable
  @inline(__always)
  public borrowing func finish<Result>(
    for receiver: ChainNode, taking body: (Body) -> Result
  ) -> Result? {
    reference.finish(for: receiver) { body(unsafeDowncast($0, to: Body.self)) }
  }

  /// Closes and cancels the source, which tells `receiver`, the owner, when it runs no delivery.
  @inline(__always)
  public borrowing func cancel(for receiver: ChainNode) { reference.cancel(for: receiver) }

  /// Ends the guard: the source runs no delivery any more.
  @inline(__always)
  public borrowing func release() { reference.release() }
}

extension RundownReference {
  borrowing func withBody<Result>(_ body: (ReceiverBody) -> Result) -> Result? {
    withObject { body(unsafeDowncast($0, to: ReceiverBody.self)) }
  }

  /// Accepts a source that guards the deliveries; see `ReceiverStage`, also for the others here.
  public borrowing func adoptGuard(_ source: DeliverySource) -> Bool {
    // From here on only the source releases the body, and no other call sets a source.
    guard guardIfUntouched() else { return false }
    object._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ReceiverBody.self).adopt(source) }
    guard isClosed else { return true }
    // A cancel that came in between may have found no source to tell.
    release()
    return false
  }

  /// Accepts a source.
  public borrowing func attach(_ source: DeliverySource, for receiver: ChainNode) -> Bool {
    var isGuard = false
    var cancels = false
    let isAccepted = withBody { body in
      guard noteSource() else {
        isGuard = body.adopted === source
        return isGuard
      }
      body.adopt(source)
      // A cancel that came in between may have found no source. A later one finds it.
      cancels = isClosed && isFirstToTell()
      return true
    }
    guard isAccepted ?? false else {
      source.cancel()
      return false
    }
    guard isClosed else { return true }
    if cancels || isGuard { source.cancel(thenRelease: receiver) }
    return false
  }

  borrowing func disallowDrops() -> Bool {
    var drops = false
    _ = withBody { $0.withAdopted { drops = $0.disallowDrops() } }
    return drops
  }

  /// Requests more values from the source.
  public borrowing func request(_ credit: Credit) {
    _ = withBody { $0.withAdopted { $0.request(credit) } }
  }

  @inlinable
  @inline(__always)
  package borrowing func finish<Result>(
    for receiver: ChainNode, taking body: (AnyObject) -> Result
  ) -> Result? {
    let result = closing(isCancel: false) { object in
      let result = body(object)
      releaseAtEnd(of: object, receiver)
      return result
    }
    // What was released may have cancelled.
    return isCancelled ? nil : result
  }

  @usableFromInline
  borrowing func releaseAtEnd(of body: AnyObject, _ receiver: ChainNode) {
    guard isGuarded else { return }
    unsafeDowncast(body, to: ReceiverBody.self).withAdopted { $0.cancel(thenRelease: receiver) }
  }

  /// Closes, and cancels the source.
  public borrowing func cancel(for receiver: ChainNode) {
    _ = closing(isCancel: true) {
      unsafeDowncast($0, to: ReceiverBody.self).withAdopted {
        if isFirstToTell() { $0.cancel(thenRelease: receiver) }
      }
    }
  }
}

@available(*, unavailable)
extension ReceiverBody: Sendable {}
