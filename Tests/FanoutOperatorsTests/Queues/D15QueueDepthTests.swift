import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// In processes of their own: a stack that bursts is a failure of one test, and nothing else.
struct D15QueueDepthTests {
  /// Returns a publisher that sends the next value within the call that requests it.
  private static func counting(to count: Int) -> TestPublisher<Int, Never> {
    let sent = Shared(0)
    return TestPublisher(whenAsked: { subscription, _ in
      let value = sent.increment()
      if value <= count {
        subscription.send(value)
      } else if value == count + 1 {
        subscription.send(completion: .finished)
      }
    })
  }

  /// Subscribes with demand one and sees all values, one after another.
  private static func expectFlat<P: Publisher<Int, Never>>(_ publisher: P, count: Int) {
    for way in OneByOne.Way.allCases {
      let subscriber = OneByOne(way)
      publisher.subscribe(subscriber)
      #expect(subscriber.count == count)
      #expect(subscriber.isCompleted)
      #expect(subscriber.depth == 1)
    }
  }

  @Test func `D15: a million values through a buffer, one at a time`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let values = (1...million).publisher
        Self.expectFlat(
          values.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest), count: million)
        Self.expectFlat(
          values.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest),
          count: million)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a million values on a scheduler that runs at once, one at a time`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        Self.expectFlat(
          (1...million).publisher.receive(on: ImmediateScheduler.shared), count: million)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a million values on a timer of a scheduler that runs at once, one at a time`()
    async
  {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let (values, scheduler) = ((1...million / 4).publisher, ImmediateScheduler.shared)
        let count = million / 4
        Self.expectFlat(values.delay(for: 1, scheduler: scheduler), count: count)
        Self.expectFlat(
          values.collect(.byTimeOrCount(scheduler, 1, 2)).map { $0[0] }, count: count)
        Self.expectFlat(values.debounce(for: 1, scheduler: scheduler), count: count)
        Self.expectFlat(values.throttle(for: 1, scheduler: scheduler, latest: true), count: count)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a million values kept for a scheduler that runs at once, then asked for`() async
  {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let upstream = TestPublisher<Int, Never>()
        let count = Shared(0)
        let subscription = Shared<(any Subscription)?>(nil)
        upstream.receive(on: ImmediateScheduler.shared).subscribe(
          AnySubscriber<Int, Never>(
            receiveSubscription: { subscription.value = $0 },
            receiveValue: { _ in
              count.increment()
              return .none
            }))
        (1...million).forEach(upstream.send)
        #expect(count.value == 0)
        subscription.value?.request(.unlimited)
        #expect(count.value == million)
        subscription.value?.cancel()
      }
      #expect(isOver)
    }
  }

  @Test func `D15: hundreds of thousands of publishers of one value`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        // Each is a publisher, a subscriber and a subscription.
        let count = million / 4
        let subscriber = OneByOne(.returning)
        (1...count).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }
          .subscribe(subscriber)
        #expect(subscriber.count == count)
        #expect(subscriber.isCompleted)
        #expect(subscriber.depth == 1)
        let half = (1...count / 2).publisher
        Self.expectFlat(half.flatMap(maxPublishers: .max(1)) { Just($0) }, count: count / 2)
        Self.expectFlat(
          half.flatMap(maxPublishers: .unlimited) { Just($0) }, count: count / 2)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: an upstream that sends within the call that asks it, into flatMap`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let subscriber = OneByOne(.asking)
        Self.counting(to: 100_000).flatMap(maxPublishers: .max(1)) { Just($0) }
          .subscribe(subscriber)
        #expect(subscriber.count == 100_000)
        #expect(subscriber.isCompleted)
        #expect(subscriber.depth == 1)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: likewise as a publisher that flatMap makes, and merged`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let inner = OneByOne(.asking)
        Just(1).flatMap { _ in Self.counting(to: 100_000) }.subscribe(inner)
        let merged = OneByOne(.returning)
        Self.counting(to: 100_000).merge(with: Self.counting(to: 100_000)).subscribe(merged)
        #expect(inner.count == 100_000)
        #expect(merged.count == 200_000)
        #expect(inner.depth + merged.depth == 2)
        #expect(inner.isCompleted && merged.isCompleted)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: half a million values of each of two, merged, one at a time`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let half = (1...million / 2).publisher
        Self.expectFlat(half.merge(with: half), count: million)
      }
      #expect(isOver)
    }
  }
}
