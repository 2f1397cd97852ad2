// Invariant: the reference of a body to its object is set once, when it is made; a weak reference may
// be read from any thread.

public import FanoutEngine

/// A subscriber that assigns every value to a property of an object that others keep alive.
///
/// When a value finds the object gone, it cancels.
@usableFromInline
final class WeakAssign<Root: AnyObject, Input>: Link, Subscriber, Cancellable {
  @usableFromInline typealias Failure = Never

  @usableFromInline
  final class Body: ReceiverBody {
    @usableFromInline private(set) weak var object: Root?
    @usableFromInline let keyPath: ReferenceWritableKeyPath<Root, Input>

    @usableFromInline
    init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      self.object = object
      self.keyPath = keyPath
      super.init()
    }

    /// Assigns a value; returns whether the object was there.
    @usableFromInline
    func assign(_ value: Input) -> Bool {
      guard let object else { return false }
      object[keyPath: keyPath] = value
      return true
    }
  }

  @usableFromInline let stage: ReceiverStage<Body>

  @usableFromInline
  init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
    stage = ReceiverStage(Body(object: object, keyPath: keyPath))
    super.init()
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard stage.attach(deliverySource(of: subscription), for: self) else { return }
    subscription.request(.unlimited)
  }

  @usableFromInline
  func receive(_ value: Input) -> Subscribers.Demand {
    if stage.withBody({ $0.assign(value) }) == false { cancel() }
    return .none
  }

  @usableFromInline
  func _receiveGuarded(_ value: Input) -> Subscribers.Demand {
    let isThere = stage.deliver {
      $0.assign(value)
    } otherwise: {
      stage.withBody { $0.assign(value) } ?? true
    }
    if !isThere { cancel() }
    return .none
  }

  @usableFromInline
  func _adopt(_ source: DeliverySource) -> Credit? {
    stage.adoptGuard(source) ? .unlimited : nil
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Never>) {
    _ = stage.finish(for: self, taking: { _ in })
  }

  @usableFromInline
  override func cancel() { stage.cancel(for: self) }

  @usableFromInline
  override func _releaseFromGuard() { stage.release() }
}

@available(*, unavailable)
extension WeakAssign: Sendable {}

extension WeakAssign: ReferenceListing {
  package var heldReferences: [HeldReference] { stage.heldReferences }
}

extension WeakAssign.Body: ReferenceListing {
  package var heldReferences: [HeldReference] {
    bodyReferences + (object.map { [.unretained("object", $0)] } ?? [])
  }
}
