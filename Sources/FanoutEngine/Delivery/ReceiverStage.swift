// `@unchecked Sendable` invariant: the body is used only through its `GuardedReference`; its source
// is set once, atomically, and released with it.

public import Synchronization

/// What a delivery needs, as `let` properties of a subclass, so that it is read without retaining.
open class ReceiverBody {
  @usableFromInline let source = AtomicValue<UnsafeRawPointer?>(nil)

  /// Makes a body with no source yet.
  @inlinable public init() { noteCreation(of: self, isPart: true) }

  @inlinable
  deinit {
    guard let pointer = source.load(ordering: .acquiring) else { return }
    Unmanaged<DeliverySource>.fromOpaque(pointer).release()
  }

  /// Adopts a source unless there is one already.
  @inlinable
  final func adopt(_ adopted: DeliverySource) -> Bool {
    let pointer = UnsafeRawPointer(Unmanaged.passRetained(adopted).toOpaque())
    let (isFirst, _) = source.compareExchange(
      expected: nil, desired: pointer, ordering: .sequentiallyConsistent)
    if !isFirst { Unmanaged<DeliverySource>.fromOpaque(pointer).release() }
    return isFirst
  }

  /// The source, once there is one.
  @inlinable
  public final var adopted: DeliverySource? {
    guard let pointer = source.load(ordering: .sequentiallyConsistent) else { return nil }
    return Unmanaged<DeliverySource>.fromOpaque(pointer).takeUnretainedValue()
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
public struct ReceiverStage<Body: ReceiverBody>: ~Copyable, @unchecked Sendable {
  @usableFromInline let reference: GuardedReference<Body>

  /// Makes a stage with no source yet.
  @inlinable
  public init(_ body: Body) { reference = GuardedReference(body) }

  /// Whether it was cancelled or has ended.
  @inlinable public var isClosed: Bool { reference.isClosed }

  /// Whether its source guards its deliveries.
  @inlinable public var isGuarded: Bool { reference.isGuarded }

  /// Adopts a source that guards the deliveries, before its subscription arrives.
  @inlinable
  public borrowing func adoptGuard(_ source: DeliverySource) {
    _ = reference.withObject { body in
      guard body.adopt(source) else { return }
      reference.guardedBySource()
      // A cancel that came in between was told to release before there was a guard, and the source
      // has not begun.
      if reference.isClosed { reference.release() }
    }
  }

  /// Accepts a source.
  ///
  /// Returns false, having cancelled it, if the stage is closed or has another.
  ///
  /// `release`, which must call `release()` here, is passed to the source if a cancel came first.
  @inlinable
  public borrowing func attach(
    _ source: DeliverySource, thenRelease release: @escaping () -> Void
  ) -> Bool {
    let isAccepted = reference.withObject { $0.adopt(source) || $0.adopted === source } ?? false
    guard isAccepted else {
      source.cancel()
      return false
    }
    // A cancel that came in between may have found no source.
    guard reference.isClosed else { return true }
    source.cancel(thenRelease: release)
    return false
  }

  /// Runs `body` for one value and returns its result, or nil if closed.
  ///
  /// Only for a call of the source's: the guard knows of no other.
  @inlinable
  public borrowing func deliver<Result>(_ body: (Body) -> Result) -> Result? {
    if reference.isGuardedAndOpen { return reference.withGuardedObject(body) }
    return reference.withObject(body)
  }

  /// Runs `body` outside of a delivery and returns its result, or nil if closed.
  @inlinable
  public borrowing func withBody<Result>(_ body: (Body) -> Result) -> Result? {
    reference.withObject(body)
  }

  /// Asks the source for more.
  @inlinable
  public borrowing func request(_ credit: Credit) {
    _ = reference.withObject { $0.adopted?.request(credit) }
  }

  /// Closes at the source's end, lets go of the source and of the body, and returns what `body` took
  /// out of it, or nil if the stage was closed before.
  ///
  /// So nothing of the upstream is retained any more when the end is handed on. A source that
  /// guards the stage is asked whether that is safe, and calls `release`, which must call
  /// `release()` here, at once if it has itself come to its end. Another may have said the end,
  /// while a delivery is running.
  @inlinable
  public borrowing func finish<Result>(
    thenRelease release: @escaping () -> Void, taking body: (Body) -> Result
  ) -> Result? {
    let result = reference.closing { object in
      let result = body(object)
      if reference.isGuarded { object.adopted?.cancel(thenRelease: release) }
      return result
    }
    // What was released may have cancelled.
    return reference.isCancelled ? nil : result
  }

  /// Closes and cancels the source, which calls `release` when it runs no delivery; that must call
  /// `release()` here.
  @inlinable
  public borrowing func cancel(thenRelease release: @escaping () -> Void) {
    reference.markCancelled()
    _ = reference.closing { $0.adopted?.cancel(thenRelease: release) }
  }

  /// Says that the source runs no delivery any more.
  @inlinable
  public borrowing func release() { reference.release() }

  /// The body, as a reference of the object that has this stage.
  package var heldReferences: [HeldReference] { reference.heldReferences("stage") }
}

@available(*, unavailable)
extension ReceiverBody: Sendable {}
