public import FanoutEngine
public import Synchronization

/// The subscription of an operator that has somebody of the user's look on: nobody is told anything
/// after a cancel, of which they are told once.
@usableFromInline
class ObservedSubscription<Body: OperatorBody<Downstream>, Downstream: Subscriber>:
  OperatorSubscription<Body, Downstream>
{
  @usableFromInline let hasCancelled = AtomicValue<Bool>(false)

  @usableFromInline
  override init(_ body: Body, name: StaticString?) {
    super.init(body, name: name)
  }

  /// Whether a cancel has begun, which lets go of the body only when it has been told.
  @inlinable final var isCancelling: Bool { hasCancelled.load(ordering: .acquiring) }

  /// Tells of something, unless it is over.
  @inlinable
  final func observe(_ tell: (Body) -> Void) {
    _ = stage.withBody { if !isCancelling { tell($0) } }
  }

  @usableFromInline
  final override func willCancel() {
    guard !hasCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    _ = stage.withBody { observeCancel($0) }
  }

  /// Called at the first cancel, unless the completion came before it.
  @usableFromInline
  func observeCancel(_ body: Body) {}
}
