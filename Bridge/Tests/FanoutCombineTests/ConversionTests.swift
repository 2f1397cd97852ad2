import Dispatch
import Fanout
import FanoutCore
import FanoutLifetime
import FanoutOpenCombine
import FanoutOperators
import FanoutTestSupport
import OpenCombine
import OpenCombineDispatch
import Testing

/// Cancellables, demands and schedulers, both ways.
@Suite(.timeLimit(.minutes(30)))
struct ConversionTests {
  @Test func `O1: a cancellable cancels at its cancel and at its end, both ways`() {
    let count = Shared(0)
    let first = FanoutCore.AnyCancellable { count.increment() }.combine
    first.cancel()
    first.cancel()
    #expect(count.value == 1)
    let second = OpenCombine.AnyCancellable { count.increment() }.fanout
    second.cancel()
    second.cancel()
    #expect(count.value == 2)
    do { _ = FanoutCore.AnyCancellable { count.increment() }.combine }
    do { _ = OpenCombine.AnyCancellable { count.increment() }.fanout }
    #expect(count.value == 4)
  }

  @Test func `a cancelled cancellable holds nothing any more`() {
    let watch: WeakReference
    do {
      let object = Shared(0)
      watch = WeakReference(object)
      let cancellable = OpenCombine.AnyCancellable { object.increment() }.fanout
      cancellable.cancel()
    }
    #expect(!watch.isAlive)
  }

  @Test func `demands are the same, both ways`() {
    for count in [0, 1, 7, .max] {
      #expect(FanoutCore.Subscribers.Demand.max(count).combine == .max(count))
      #expect(CombineSubscribers.Demand.max(count).fanout == .max(count))
    }
    #expect(FanoutCore.Subscribers.Demand.unlimited.combine == .unlimited)
    #expect(CombineSubscribers.Demand.unlimited.fanout == .unlimited)
  }

  @Test func `T1: a scheduler of Fanout's drives an operator of OpenCombine's`() {
    let scheduler = TestScheduler()
    let source = OpenCombine.PassthroughSubject<Int, Never>()
    let received = Shared<[Int]>([])
    let sink = source.delay(for: .seconds(2), scheduler: scheduler.combine)
      .sink { value in received.change { $0.append(value) } }
    source.send(1)
    scheduler.advance(by: .seconds(1))
    #expect(received.value == [])
    scheduler.advance(by: .seconds(1))
    #expect(received.value == [1])
    sink.cancel()
  }

  @Test func `T1: a repetition goes on until it is cancelled`() {
    let scheduler = TestScheduler()
    let clock = scheduler.combine
    let count = Shared(0)
    let repeating = clock.schedule(
      after: clock.now, interval: .seconds(1), tolerance: .zero, options: nil
    ) { count.increment() }
    scheduler.advance(by: .seconds(2))
    #expect(count.value == 3)
    repeating.cancel()
    scheduler.advance(by: .seconds(2))
    #expect(count.value == 3)
  }

  @Test func `a scheduler of OpenCombine's drives an operator of Fanout's`() {
    let queue = DispatchQueue(label: "test")
    let received = Shared<[Int]>([])
    let isOver = DispatchSemaphore(value: 0)
    let sink = (1...3).publisher.eraseToAnyPublisher().combine.fanout
      .receive(on: queue.ocombine.fanout)
      .sink { _ in
        isOver.signal()
      } receiveValue: { value in
        dispatchPrecondition(condition: .onQueue(queue))
        received.change { $0.append(value) }
      }
    isOver.wait()
    #expect(received.value == [1, 2, 3])
    sink.cancel()
  }

  @Test func `times and intervals are those of the other scheduler`() {
    let clock = DispatchQueue.main.ocombine.fanout
    typealias Time = SchedulerFromCombine<DispatchQueue.OCombine>.SchedulerTimeType
    let now = clock.now
    #expect(now.distance(to: now.advanced(by: .seconds(2))) == .seconds(2))
    #expect(Time.Stride.milliseconds(1500) == .seconds(1.5))
    #expect(Time.Stride.microseconds(3) == .nanoseconds(3000))
    #expect(Time.Stride.seconds(3) - 1 + 2 == 4)
    #expect((2 as Time.Stride) < 3)
    #expect(clock.minimumTolerance.base == DispatchQueue.main.ocombine.minimumTolerance)
  }
}
