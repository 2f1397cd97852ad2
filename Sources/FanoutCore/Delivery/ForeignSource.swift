public import FanoutEngine

/// A subscription that was written elsewhere, as a source.
///
/// It guards nothing.
@usableFromInline
package final class ForeignSource: DeliverySource, CustomStringConvertible {
  package let subscription: any Subscription

  init(_ subscription: any Subscription) {
    self.subscription = subscription
    super.init()
  }

  @usableFromInline package var description: String { String(describing: subscription) }

  @usableFromInline
  package override func request(_ credit: Credit) { subscription.request(credit.demand) }

  @usableFromInline
  package override func cancel(thenRelease receiver: ChainNode?) {
    subscription.cancel()
    receiver?._sourceDidQuiesce()
  }
}

/// The source behind a subscription: itself if it is one of ours.
@usableFromInline
package func deliverySource(of subscription: any Subscription) -> DeliverySource {
  (subscription as? DeliverySource) ?? ForeignSource(subscription)
}
