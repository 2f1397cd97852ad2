package import FanoutEngine

/// A source that wraps a subscription from outside the package.
///
/// It fuses with no subscriber.
package final class ForeignSource: DeliverySource, CustomStringConvertible {
  package let subscription: any Subscription

  init(_ subscription: any Subscription) {
    self.subscription = subscription
    super.init()
  }

  package var description: String { String(describing: subscription) }

  package override func request(_ credit: Credit) { subscription.request(credit.demand) }

  package override func cancel(thenRelease receiver: ChainNode?) {
    subscription.cancel()
    receiver?._sourceDidQuiesce()
  }
}

/// Returns the source of a subscription: the subscription itself, or a wrapper if it comes from
/// outside the package.
package func deliverySource(of subscription: any Subscription) -> DeliverySource {
  (subscription as? DeliverySource) ?? ForeignSource(subscription)
}
