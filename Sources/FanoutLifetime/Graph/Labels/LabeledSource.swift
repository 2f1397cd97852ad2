internal import Fanout
internal import FanoutEngine

/// A subscription that was written elsewhere, as a source.
///
/// It guards nothing.
final class LabeledSource: DeliverySource, CustomStringConvertible {
  let subscription: any Subscription

  init(_ subscription: any Subscription) {
    self.subscription = subscription
    super.init()
  }

  var description: String { String(describing: subscription) }

  override func request(_ credit: Credit) {
    subscription.request(credit.isUnlimited ? .unlimited : .max(Int(credit.rawValue)))
  }

  override func cancel(thenRelease release: (() -> Void)?) {
    subscription.cancel()
    release?()
  }
}

extension LabeledSource: ReferenceListing {
  var heldReferences: [HeldReference] { [.value("subscription", subscription)] }
}
