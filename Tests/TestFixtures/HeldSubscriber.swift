package import FanoutCore
package import FanoutTestSupport
internal import TestThreads

/// A subscriber that stays in one call until the test releases it, so that its thread is in
/// mid-delivery.
package struct HeldSubscriber: Sendable {
  private let entered = Gate()
  private let mayLeave = Gate()
  package let subscriber: TestSubscriber<Int, Broken>

  /// Creates a subscriber that stays in `receive` of this value.
  package init(at held: Int, demand: Subscribers.Demand = .unlimited) {
    let entered = entered
    let mayLeave = mayLeave
    subscriber = TestSubscriber(
      initialDemand: demand,
      demandFor: { _, value in
        if value == held {
          entered.open()
          mayLeave.wait()
        }
        return .none
      })
  }

  /// Creates a subscriber that stays in `receive(subscription:)`, after its request.
  package init(whenSubscribedWith demand: Subscribers.Demand) {
    let entered = entered
    let mayLeave = mayLeave
    subscriber = TestSubscriber(
      initialDemand: demand,
      whenSubscribed: { _ in
        entered.open()
        mayLeave.wait()
      })
  }

  /// Waits until the subscriber is inside that call.
  ///
  /// Returns false if that takes so long that something hangs.
  package func stands() -> Bool { entered.wait() }

  /// Lets it return.
  package func letGo() { mayLeave.open() }
}
