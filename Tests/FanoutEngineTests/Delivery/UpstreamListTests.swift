import FanoutEngine
import FanoutLifetime
import TestThreads
import Testing

private final class Feed: DeliverySource {
  let asked = Shared(0)
  let cancelled = Shared(0)
  let over = Shared(false)

  override var isOver: Bool { over.value }
  override func request(_ credit: Credit) { if credit.isUnlimited { asked.increment() } }
  override func cancel(thenRelease receiver: ChainNode?) {
    cancelled.increment()
    receiver?._sourceDidQuiesce()
  }
}

struct UpstreamListTests {
  private let hub = Hub<Int, Never>(.nothing)

  @Test func `asks a feed when it is wanted, once`() {
    let list = UpstreamList()
    let (early, late) = (Feed(), Feed())
    list.add(early, of: hub, isAskedAtOnce: false)
    #expect(early.asked.value == 0)
    list.requestAll()
    list.requestAll()
    #expect(early.asked.value == 1)
    list.add(late, of: hub, isAskedAtOnce: true)
    #expect(late.asked.value == 1)
    #expect(early.asked.value == 1)
  }

  @Test func `cancels its feeds when it dies, asked or not`() {
    let (asked, unasked) = (Feed(), Feed())
    do {
      let list = UpstreamList()
      list.add(asked, of: hub, isAskedAtOnce: true)
      list.add(unasked, of: hub, isAskedAtOnce: false)
    }
    #expect(asked.cancelled.value == 1)
    #expect(unasked.cancelled.value == 1)
  }

  @Test func `lets go of all without cancelling, or cancels all, and keeps none`() {
    for cancels in [true, false] {
      let tracker = LifetimeTracker()
      let cancelled = Shared(0)
      let list = UpstreamList()
      do {
        let feed = tracker.track(Feed())
        list.add(feed, of: hub, isAskedAtOnce: true)
        if cancels { list.cancelAll() } else { list.releaseAll() }
        cancelled.value = feed.cancelled.value
      }
      #expect(cancelled.value == (cancels ? 1 : 0))
      #expect(tracker.survivors() == [])
    }
  }

  @Test func `forgets those that are over when another comes`() {
    let tracker = LifetimeTracker()
    let list = UpstreamList()
    for _ in 0..<20 {
      let feed = tracker.track(Feed())
      list.add(feed, of: hub, isAskedAtOnce: false)
      feed.over.value = true
    }
    #expect(tracker.survivors().count == 1)
    list.add(Feed(), of: hub, isAskedAtOnce: true)
    #expect(tracker.survivors() == [])
  }
}

struct UpstreamListRaceTests {
  @Test func `asks each once, whoever adds and asks at the same time`() {
    for _ in 0..<100 {
      let (list, owner) = (UpstreamList(), Owner<Int>(.nothing))
      owner.hub.observeDemand(list)
      let feeds = Shared((0..<10).map { _ in Feed() })
      let receiver = Receiver<Int>()
      let isOver = race(
        { for feed in feeds.value { list.add(feed, of: owner.hub, isAskedAtOnce: false) } },
        { receiver.attach(to: owner) })
      #expect(isOver)
      receiver.cancel()
      #expect(feeds.value.allSatisfy { $0.asked.value == 1 })
      list.cancelAll()
      #expect(feeds.value.allSatisfy { $0.cancelled.value == 1 })
    }
  }
}
