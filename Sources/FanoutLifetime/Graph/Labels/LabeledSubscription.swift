public import Fanout
public import FanoutEngine

/// A subscription to a publisher with a label, which passes everything through and releases its
/// subscriber at cancel and at completion.
@usableFromInline
final class LabeledSubscription<Downstream: Subscriber>: RelayedSource<
  LabeledSubscription<Downstream>.Body
>, Subscriber, Subscription, CustomStringConvertible, CustomReflectable,
CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  final class Body: ReceiverBody {
    @usableFromInline let downstream: Downstream

    @inlinable
    init(downstream: Downstream) {
      self.downstream = downstream
      super.init()
    }
  }

  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  let mark: PublisherLabel

  @usableFromInline
  init(_ downstream: Downstream, mark: PublisherLabel) {
    self.mark = mark
    super.init(Body(downstream: downstream))
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard attach(deliverySource(of: subscription)) else { return }
    _ = stage.withBody { $0.downstream.receive(subscription: self) }
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    stage.withBody { $0.downstream.receive(input) } ?? .none
  }

  @inlinable
  @inline(__always)
  func _receiveFused(_ input: Input) -> Subscribers.Demand {
    stage.deliver {
      $0.downstream._receiveFused(input)
    } otherwise: {
      receive(input)
    }
  }

  @inlinable
  func _fuse(_ source: DeliverySource) -> Credit? {
    guard stage.adoptGuard(source) else { return nil }
    return stage.withBody { $0.downstream._fuse(self) } ?? nil
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    finish(taking: { $0.downstream })?.receive(completion: completion)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    request(demand.max.map { Credit(rawValue: UInt($0)) } ?? .unlimited)
  }

  /// The upstream's description, as for the operators that expose their upstream's subscription.
  @usableFromInline var description: String {
    let upstream = stage.withBody { $0.adopted } ?? nil
    return upstream.map { String(describing: $0) } ?? "Empty"
  }
  @usableFromInline var playgroundDescription: Any { description }
  @usableFromInline var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
}

extension LabeledSubscription: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("mark", mark)] }
}

extension LabeledSubscription.Body: AdditionalReferences {
  package var additionalReferences: [HeldReference] { [.value("downstream", downstream)] }
}

extension LabeledSubscription: PublisherLabeling {
  var labeledObject: AnyObject? {
    guard let source = stage.withBody({ $0.adopted }) ?? nil else { return nil }
    // The subscription of a subject or of a shared publisher, or its body, names that publisher.
    return Self.publisher(of: source) ?? source
  }

  private static func publisher(of holder: AnyObject) -> AnyObject? {
    guard let listing = holder as? any ReferenceListing else { return nil }
    for reference in listing.heldReferences where reference.isRetained {
      guard case .value(let value) = reference.target, type(of: value) is AnyClass else { continue }
      let object = value as AnyObject
      if ["owner", "parent"].contains(reference.name) { return object }
      if reference.name == "stage", let named = publisher(of: object) { return named }
    }
    return nil
  }
}
