import Dispatch
import Fanout
import FanoutCore
import FanoutLifetime
import FanoutOpenCombine
import FanoutTestSupport
import OpenCombine
import Testing

/// `publisher.combine`: from Fanout to OpenCombine, and both ways in one.
@Suite(.timeLimit(.minutes(30)))
struct ToCombineTests {
  @Test func `D8: requests go up as they are, and what the subscriber returns counts`() {
    let source = TestPublisher<Int, Broken>()
    let probe = Probe<Int, Broken>(
      initialDemand: .max(1), demandFor: { _, value in value == 1 ? .max(1) : .none })
    source.combine.subscribe(probe)
    #expect(source.requests == [.max(1)])
    source.send(1)
    source.send(2)
    probe.request(.unlimited)
    #expect(source.requests.last == .unlimited)
    source.send(3)
    #expect(probe.values == [1, 2, 3])
    probe.cancel()
  }

  @Test func `D8: never more comes than was asked for`() {
    let probe = Probe<Int, Never>(initialDemand: .max(2))
    (1...5).publisher.eraseToAnyPublisher().combine.subscribe(probe)
    #expect(probe.values == [1, 2])
    probe.request(.max(1))
    #expect(probe.values == [1, 2, 3])
    probe.request(.unlimited)
    #expect(probe.events == ["subscription", "1", "2", "3", "4", "5", "finished"])
  }

  @Test func `D9: a completion comes once, and nothing after it`() {
    let source = FanoutCore.PassthroughSubject<Int, Broken>()
    let probe = Probe<Int, Broken>()
    source.combine.subscribe(probe)
    source.send(1)
    source.send(completion: .failure(Broken()))
    source.send(2)
    #expect(probe.events == ["subscription", "1", "Broken()"])
  }

  @Test func `D7: a cancel cancels the upstream, also inside a value`() {
    let source = FanoutCore.PassthroughSubject<Int, Broken>()
    let probe = Probe<Int, Broken>(demandFor: { probe, value in
      if value == 2 { probe.cancel() }
      return .none
    })
    source.combine.subscribe(probe)
    for number in 1...3 { source.send(number) }
    source.send(completion: .finished)
    #expect(probe.events == ["subscription", "1", "2"])
  }

  @Test func `D1, D3: what OpenCombine's subscribers get does not nest`() {
    let source = FanoutCore.PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>(demandFor: { _, value in
      if value < 3 { source.send(value + 1) }
      return .none
    })
    source.combine.subscribe(probe)
    source.send(1)
    #expect(probe.values == [1, 2, 3])
    #expect(probe.deepest == 1)
    probe.cancel()
  }

  @Test func `O2: a cancel and a completion release the subscriber`() {
    for isCancelled in [true, false] {
      let source = FanoutCore.PassthroughSubject<Int, Broken>()
      let watch: FanoutLifetime.WeakReference
      do {
        let probe = Probe<Int, Broken>()
        watch = WeakReference(probe)
        source.combine.subscribe(probe)
        if isCancelled { probe.cancel() } else { source.send(completion: .finished) }
      }
      #expect(!watch.isAlive)
    }
  }

  @Test func `a round trip keeps demand, values, completion and cancel`() {
    let source = Driven<Int, Broken>()
    let probe = Probe<Int, Broken>(initialDemand: .max(1), demandFor: { _, _ in .max(2) })
    source.fanout.combine.subscribe(probe)
    #expect(source.notes == ["max(1)"])
    #expect(source.send(1) == .max(2))
    probe.request(.max(4))
    #expect(source.notes == ["max(1)", "max(4)"])
    source.send(completion: .failure(Broken()))
    #expect(probe.events == ["subscription", "1", "Broken()"])

    let other = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    other.combine.fanout.subscribe(subscriber)
    other.send(1)
    subscriber.request(.max(2))
    #expect(other.requests == [.max(1), .max(2)])
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(subscriber.violations == [])
  }

  @Test func `one line gives a pipeline of OpenCombine's a replay since the last keyframe`() {
    let frames = OpenCombine.PassthroughSubject<Int, Never>()
    let shared = frames.fanout.share(replay: .sinceKeyframe { $0.isMultiple(of: 10) }).combine
    let early = Probe<Int, Never>()
    shared.subscribe(early)
    for frame in [10, 11, 20, 21, 22] { frames.send(frame) }
    let late = Probe<Int, Never>()
    shared.subscribe(late)
    frames.send(23)
    #expect(early.values == [10, 11, 20, 21, 22, 23])
    #expect(late.values == [20, 21, 22, 23])
    early.cancel()
    late.cancel()
  }

  @Test func `operators of both sides work in one chain, on many threads`() {
    let source = FanoutCore.PassthroughSubject<Int, Never>()
    let total = Shared(0)
    let sink = source.map { $0 * 2 }.combine
      .filter { $0 > 0 }
      .fanout.scan(0) { $0 + $1 }
      .combine.sink { total.value = $0 }
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for number in 0...100 { source.send(number) }
    }
    #expect(total.value == 4 * 2 * 5050)
    sink.cancel()
  }
}
