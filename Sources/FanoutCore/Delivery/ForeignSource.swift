public import FanoutEngine

/// A subscription that was written elsewhere, as a source.
///
/// It guards nothing.
@usableFromInline
final class ForeignSource: DeliverySource, CustomStringConvertible {
  let subscription: any Subscription

  init(_ subscription: any Subscription) {
    self.subscription = subscription
    super.init()
  }

  @usableFromInline var description: String { String(describing: subscription) }

  @usableFromInline
  override func request(_ credit: Credit) { subscription.request(credit.demand) }

  @usableFromInline
  override func cancel(thenRelease receiver: Link?) {
    subscription.cancel()
    receiver?._releaseFromGuard()
  }
}

/// The source behind a subscription: itself if it is one of ours.
@usableFromInline
func deliverySource(of subscription: any Subscription) -> DeliverySource {
  (subscription as? DeliverySource) ?? ForeignSource(subscription)
}

extension ForeignSource: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("subscription", subscription)] }
}
