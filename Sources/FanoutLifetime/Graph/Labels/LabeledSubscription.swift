public import Fanout
internal import FanoutEngine

/// A subscription to a publisher with a label, which passes everything through and shows its
/// upstream's description.
@usableFromInline
final class LabeledSubscription<Downstream: Subscriber>: PassingSubscription<
  LabeledSubscription<Downstream>.Body, Downstream
>, Subscriber
{
  @usableFromInline
  final class Body: OperatorBody<Downstream> {}

  let mark: PublisherLabel

  @usableFromInline
  init<Upstream: Publisher>(_ downstream: Downstream, of publisher: Publishers.Labeled<Upstream>) {
    mark = publisher.mark
    super.init(Body(downstream: downstream), name: nil)
  }
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
