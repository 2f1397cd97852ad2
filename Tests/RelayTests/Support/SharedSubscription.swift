// The invariant that makes `@unchecked` true: a VideoSubscription may be used from any thread, and no other
// subscription is put in here. `Subscription` itself promises nothing of the kind.

import Fanout

/// A subscription that a test uses from several threads.
struct SharedSubscription: @unchecked Sendable {
  private let subscription: any Subscription

  init(_ subscription: any Subscription) { self.subscription = subscription }

  func request(_ demand: Subscribers.Demand) { subscription.request(demand) }
  func cancel() { subscription.cancel() }
}
