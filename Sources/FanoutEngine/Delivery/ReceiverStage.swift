// `@unchecked Sendable` invariant: the body is used only through its `GuardedReference`; its source
// is set once, atomically, and released with it. Unsafe casts: the object of the reference is the body
// that the stage was made with, and a body's source is set to a `DeliverySource` only.

/// What a delivery needs, as `let` properties of a subclass, so that it is read without retaining.
open class ReceiverBody {
  /// Its source; set by who has noted it in the stage, so by one alone.
  @usableFromInline let source = OnceReference()

  /// Makes a body with no source yet.
  @inlinable public init() { noteCreation(of: self, isPart: true) }

  @inlinable
  final func adopt(_ adopted: DeliverySource) { source.setAlone(adopted) }

  /// Runs `body` with the source, if there is one, while somebody keeps this object alive.
  @inlinable
  final func withAdopted(_ body: (DeliverySource) -> Void) {
    source.withObject { body(unsafeDowncast($0, to: DeliverySource.self)) }
  }

  /// The source, once there is one.
  @inlinable
  public final var adopted: DeliverySource? {
    source.object.map { unsafeDowncast($0, to: DeliverySource.self) }
  }
}

extension ReceiverBody {
  /// What every body holds; subclasses add their own.
  package final var bodyReferences: [HeldReference] {
    adopted.map { [.value("source", $0)] } ?? []
  }

  /// One thing that deliveries change, looked at while none is running.
  package final func quietly(_ name: String, _ value: () -> Any) -> HeldReference {
    guard let adopted else { return .value(name, value()) }
    var held = HeldReference.busy(name)
    _ = adopted.whileIdle { held = .value(name, value()) }
    return held
  }
}

/// The receiving end of a source: holds what a delivery needs, and lets go at cancel and at the end.
///
/// `Body` is only what callers know the body to be. Everything that is not a delivery is inlined or
/// not generic, so that it costs no look-up of types where it is not specialised.
public struct ReceiverStage<Body: ReceiverBody>: ~Copyable, @unchecked Sendable {
  @usableFromInline let reference: GuardedReference

  /// Makes a stage with no source yet.
  @inlinable
  public init(_ body: Body) { reference = GuardedReference(.passRetained(body)) }

  /// Whether it was cancelled or has ended.
  @inlinable public var isClosed: Bool {
    @inline(__always) get { reference.isClosed }
  }

  /// Whether its source guards its deliveries.
  @inlinable public var isGuarded: Bool {
    @inline(__always) get { reference.isGuarded }
  }

  /// Adopts a source that guards the deliveries, before its subscription arrives.
  ///
  /// Returns false if the stage is closed, has another source, or is in use just now.
  @inlinable
  @inline(__always)
  @discardableResult
  public borrowing func adoptGuard(_ source: DeliverySource) -> Bool {
    reference.adoptGuard(source)
  }

  /// Accepts a source.
  ///
  /// Returns false, having cancelled it, if the stage is closed or has another.
  ///
  /// `receiver`, whose stage this is, is passed to the source if a cancel came first.
  @inlinable
  @inline(__always)
  public borrowing func attach(
    _ source: DeliverySource, for receiver: Link
  ) -> Bool {
    reference.attach(source, for: receiver)
  }

  /// Runs `body` for one value, uncounted; or `otherwise` if no source guards the stage, if it
  /// is closed, or if anybody else is counted in it just now.
  ///
  /// Only for a call of the source's: the guard knows of no other. Each closure is called in one
  /// place, so that it is inlined there.
  @inlinable
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

  /// Asks the source for more.
  @inlinable
  @inline(__always)
  public borrowing func request(_ credit: Credit) { reference.request(credit) }

  /// Closes at the source's end, lets go of the source and of the body, and returns what `body` took
  /// out of it, or nil if the stage was closed before.
  ///
  /// So nothing of the upstream is retained any more when the end is handed on. A source that
  /// guards the stage is asked whether that is safe, and tells `receiver`, whose stage this is, at
  /// once if it has itself come to its end. Another may have said the end, while a delivery is
  /// running.
  @inlinable
  @inline(__always)
  public borrowing func finish<Result>(
    for receiver: Link, taking body: (Body) -> Result
  ) -> Result? {
    let result = reference.closing(isCancel: false) { object in
      let result = body(unsafeDowncast(object, to: Body.self))
      reference.releaseAtEnd(of: object, receiver)
      return result
    }
    // What was released may have cancelled.
    return reference.isCancelled ? nil : result
  }

  /// Closes and cancels the source, which tells `receiver`, whose stage this is, when it runs no
  /// delivery.
  @inlinable
  @inline(__always)
  public borrowing func cancel(for receiver: Link) {
    reference.cancel(for: receiver)
  }

  /// Says that the source runs no delivery any more.
  @inlinable
  @inline(__always)
  public borrowing func release() { reference.release() }

  /// The body, as a reference of the object that has this stage.
  package var heldReferences: [HeldReference] { reference.heldReferences("stage") }
}

extension GuardedReference {
  @inlinable
  borrowing func withBody<Result>(_ body: (ReceiverBody) -> Result) -> Result? {
    withObject { body(unsafeDowncast($0, to: ReceiverBody.self)) }
  }

  @usableFromInline
  borrowing func adoptGuard(_ source: DeliverySource) -> Bool {
    // From here on nobody but the source releases the body, and nobody else adopts one.
    guard guardIfUntouched() else { return false }
    object._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ReceiverBody.self).adopt(source) }
    guard isClosed else { return true }
    // A cancel that came in between may have found no source to tell.
    release()
    return false
  }

  @usableFromInline
  borrowing func attach(_ source: DeliverySource, for receiver: Link) -> Bool {
    let isAccepted = withBody { body in
      guard noteSource() else { return body.adopted === source }
      body.adopt(source)
      return true
    }
    guard isAccepted ?? false else {
      source.cancel()
      return false
    }
    // A cancel that came in between may have found no source.
    guard isClosed else { return true }
    source.cancel(thenRelease: receiver)
    return false
  }

  @usableFromInline
  borrowing func request(_ credit: Credit) {
    _ = withBody { $0.withAdopted { $0.request(credit) } }
  }

  @usableFromInline
  borrowing func releaseAtEnd(of body: AnyObject, _ receiver: Link) {
    guard isGuarded else { return }
    unsafeDowncast(body, to: ReceiverBody.self).withAdopted { $0.cancel(thenRelease: receiver) }
  }

  @usableFromInline
  borrowing func cancel(for receiver: Link) {
    _ = closing(isCancel: true) {
      unsafeDowncast($0, to: ReceiverBody.self).withAdopted { $0.cancel(thenRelease: receiver) }
    }
  }
}

@available(*, unavailable)
extension ReceiverBody: Sendable {}
