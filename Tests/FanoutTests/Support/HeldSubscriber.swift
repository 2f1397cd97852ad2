import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads

/// A subscriber that stays in one call until the test releases it, so that its thread is in
/// mid-delivery.
struct HeldSubscriber: Sendable {
  private let entered = Gate()
  private let mayLeave = Gate()
  let subscriber: TestSubscriber<Int, Broken>

  /// Stands in `receive` of this value.
  init(at held: Int, demand: Subscribers.Demand = .unlimited) {
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

  /// Stands in `receive(subscription:)`, after having asked.
  init(whenSubscribedWith demand: Subscribers.Demand) {
    let entered = entered
    let mayLeave = mayLeave
    subscriber = TestSubscriber(
      initialDemand: demand,
      whenSubscribed: { _ in
        entered.open()
        mayLeave.wait()
      })
  }

  /// Waits until it stands there.
  ///
  /// Returns false if that takes so long that something hangs.
  func stands() -> Bool { entered.wait() }

  /// Lets it return.
  func letGo() { mayLeave.open() }
}

/// A share whose first subscriber stands in `receive` of the value 1, on a thread of its own.
struct BusyShare: Sendable {
  let upstream = TestPublisher<Int, Broken>()
  let share: Publishers.Share<TestPublisher<Int, Broken>>
  let held = HeldSubscriber(at: 1)
  let isBusy: Bool
  private let deliverer: TestThread

  init(_ replay: Replay<Int>, before: [Int] = []) {
    let upstream = upstream
    share = upstream.share(replay: replay)
    share.subscribe(held.subscriber)
    before.forEach(upstream.send)
    deliverer = TestThread { upstream.send(1) }
    isBusy = held.stands()
  }

  /// Lets the subscriber return and waits for the delivering thread.
  func letGo() -> Bool {
    held.letGo()
    return deliverer.join()
  }
}
