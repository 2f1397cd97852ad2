import Fanout
import FanoutEngine
import TestThreads
import Testing

@testable import FanoutLifetime

struct LiveObjectsTests {
  let tracker = LifetimeTracker()

  @Test func `counts what a subscription is made of, until the cancel`() {
    let subject = tracker.perform { PassthroughSubject<Int, Never>() }
    let watching = Shared<AnyCancellable?>(tracker.perform { subject.map { $0 }.sink { _ in } })
    #expect(
      tracker.liveObjects.byType == [
        "PassthroughSubject": 1, "Subscription": 2, "Sink": 1, "AnyCancellable": 1,
      ])
    #expect(tracker.liveObjects.total == 5)
    #expect(tracker.liveObjects.parts["Hub"] == 1)
    watching.value?.cancel()
    #expect(tracker.liveObjects.byType == ["PassthroughSubject": 1, "AnyCancellable": 1])
    watching.value = nil
    #expect(tracker.liveObjects.description == "PassthroughSubject: 1")
    withExtendedLifetime(subject) {}
    #expect(LifetimeTracker().liveObjects.description == "none")
  }

  @Test func `counts what a share is made of`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let parts = tracker.perform {
      let shared = subject.share(replay: .latest)
      return Shared((shared, [shared.sink { _ in }, shared.sink { _ in }]))
    }
    #expect(
      tracker.liveObjects.byType == [
        "Share": 1, "Connection": 1,
        // The connection's subscription to the upstream.
        "Subscription": 1, "Sink": 2, "AnyCancellable": 2,
      ])
    parts.change { $0.1.forEach { $0.cancel() } }
    #expect(tracker.liveObjects.byType["Subscription"] == nil)
    #expect(tracker.liveObjects.byType["Sink"] == nil)
    #expect(tracker.liveObjects.byType["Connection"] == nil)
  }

  @Test func `live sources are those that were neither cancelled nor completed`() {
    let kept = Shared<[any Sendable]>([])
    for kind in PipelineKind.allCases {
      for end in PipelineEnd.allCases {
        let tracker = LifetimeTracker()
        tracker.perform {
          let pipeline = kind.make()
          kept.change { $0.append(pipeline) }
          if kind.isLive { #expect(!tracker.liveSources.isEmpty, "\(kind) is live") }
          pipeline.end(end)
        }
        #expect(tracker.liveSources.isEmpty, "\(kind) after \(end)")
      }
    }
  }

  @Test func `counts for its own tracker only, and only where that is current`() {
    let other = LifetimeTracker()
    let all = Shared<[any Sendable]>([])
    all.change { $0.append(PassthroughSubject<Int, Never>()) }
    tracker.perform {
      all.change { $0.append(PassthroughSubject<Int, Never>()) }
      other.perform {
        all.change { $0 += [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()] }
      }
    }
    #expect(tracker.liveObjects.byType == ["PassthroughSubject": 1])
    #expect(other.liveObjects.byType == ["PassthroughSubject": 2])
  }

  @Test func `a long run leaves a short record`() {
    let subject = PassthroughSubject<Int, Never>()
    tracker.perform {
      for _ in 0..<20_000 { subject.sink { _ in }.cancel() }
    }
    #expect(tracker.liveObjects.total == 0)
    #expect(tracker.creations.withLock { $0.creations.count } <= 1_000)
  }

  @Test func `a record of many living objects is not looked through each time`() {
    let subject = PassthroughSubject<Int, Never>()
    let sinks = tracker.perform { (0..<5_000).map { _ in subject.sink { _ in } } }
    #expect(tracker.liveObjects.byType["Sink"] == 5_000)
    #expect(tracker.creations.withLock { $0.limit } >= 5_000)
    sinks.forEach { $0.cancel() }
    #expect(tracker.liveObjects.byType == ["AnyCancellable": 5_000])
    withExtendedLifetime(sinks) {}
  }

  @Test func `a connection is not pruned for, because it is made under a lock`() {
    let upstream = PassthroughSubject<Int, Never>()
    let shared = upstream.multicast(replay: .none)
    let connection = tracker.perform { shared.connect() }
    #expect(tracker.liveObjects.byType["Connection"] == 1)
    let sources = tracker.liveSources.compactMap { $0 as? DeliverySource }
    #expect(sources.filter { type(of: $0).isMadeUnderLock }.count == 1)
    connection.cancel()
  }
}
