import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads

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
