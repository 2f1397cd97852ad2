import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L11ObserverThreadTests {
  @Test func `L11: what an observer does in a call is told when that has returned`() {
    let source = PassthroughSubject<Int, Never>()
    let held = Shared<Publishers.Share<PassthroughSubject<Int, Never>>?>(nil)
    let sinks = Shared<[AnyCancellable]>([])
    let seen = Notes<Int>()
    let log = ObserverLog { line in
      guard let shared = held.value else { return }
      switch line {
      case "slow missed 1" where seen.count == 0:
        let inner = shared.sink { _ in }
        sinks.change { $0.append(inner) }
        source.send(100)
        seen.append(shared.status.subscribers.count)
      case "3 joined": sinks.change { $0.removeFirst() }.cancel()
      default: break
      }
    }
    let shared = source.share(replay: .last(1), observer: log)
    held.value = shared
    let received = Notes<Int>()
    sinks.change { $0.append(shared.sink { received.append($0) }) }
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(.live, backlog: .size(1, whenFull: .dropNewest), label: "slow").subscribe(slow)
    source.send(1)
    source.send(2)
    #expect(received.all == [1, 2])
    #expect(seen.all == [2])
    #expect(
      log.lines == [
        "1 joined", "connected 1", "slow joined", "slow waiting 1", "slow missed 1", "3 joined",
        "1 left", "slow missed 1",
      ])
    #expect(log.mistakes == [])
    held.value = nil
    slow.cancel()
    sinks.value = []
  }

  @Test func `L11: an observer that cancels its subscriber, or the last one, inside of each call`()
  {
    for line in ["connected 1", "slow waiting 2", "slow missed 1"] {
      let source = PassthroughSubject<Int, Never>()
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      let log = ObserverLog { if $0 == line { slow.cancel() } }
      let shared = source.share(observer: log)
      shared.joining(backlog: .size(2, whenFull: .dropOldest), label: "slow").subscribe(slow)
      for number in 1...4 { source.send(number) }
      slow.request(.unlimited)
      #expect(slow.values == [])
      #expect(log.lines.filter { $0.hasSuffix("left") } == ["slow left"], "\(line)")
      #expect(log.lines.contains("disconnected 1"))
      #expect(log.mistakes == [])
    }
  }

  @Test func `L11: no lock is held while an observer is called`() {
    let source = PassthroughSubject<Int, Never>()
    let held = Shared<Publishers.Share<PassthroughSubject<Int, Never>>?>(nil)
    let react: @Sendable (String) -> Void = { _ in
      guard let shared = held.value else { return }
      // Another thread does all of this meanwhile, and waits for no lock.
      let thread = TestThread {
        _ = shared.status
        shared.sink { _ in }.cancel()
        source.send(0)
        shared.clearReplay()
      }
      #expect(thread.join())
      held.value = nil
    }
    for round in 0..<6 {
      let log = ObserverLog(react: react)
      let shared = source.share(observer: log)
      let first = shared.sink { _ in }
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.joining(backlog: .size(1, whenFull: .rejoin), label: "slow").subscribe(slow)
      var loop: SharedSequence<Int, Never>.AsyncIterator? =
        shared.values.joining(backlog: .size(1, whenFull: .dropOldest)).makeAsyncIterator()
      if round == 0 { held.value = shared }
      source.send(1)
      if round == 1 { held.value = shared }
      for number in 2...4 { source.send(number) }
      if round == 2 { held.value = shared }
      withExtendedLifetime(loop) {}
      loop = nil
      if round == 3 { held.value = shared }
      slow.cancel()
      if round == 4 { held.value = shared }
      first.cancel()
      #expect(held.value == nil || round == 5)
      held.value = nil
      #expect(log.mistakes == [])
    }
  }

  @Test func `L11: threads that subscribe, send, look and leave at the same time`() async {
    for _ in 0..<rounds(20) {
      let log = ObserverLog()
      let source = PassthroughSubject<Int, Never>()
      let shared = source.share(replay: .last(2), observer: log)
      let keeping = shared.sink { _ in }
      let send: @Sendable () -> Void = { for number in 0..<200 { source.send(number) } }
      let join: @Sendable () -> Void = {
        for number in 0..<40 {
          let slow = TestSubscriber<Int, Never>(initialDemand: .max(number % 3))
          shared.joining(backlog: .size(1, whenFull: .dropOldest), label: "slow").subscribe(slow)
          slow.request(.max(2))
          var loop: SharedSequence<Int, Never>.AsyncIterator? =
            shared.values.joining(backlog: .size(1, whenFull: .dropNewest)).makeAsyncIterator()
          _ = shared.status
          withExtendedLifetime(loop) {}
          loop = nil
          slow.cancel()
        }
      }
      #expect(race(send, send, join, join))
      keeping.cancel()
      // A loop may leave the rest of the deliveries to a task.
      var tries = 0
      while tries < 1_000_000, !log.allHaveLeft || shared.status.subscribers != [] {
        tries += 1
        await Task.yield()
      }
      #expect(log.mistakes == [])
      // A subscriber that leaves before its turn to join has come was never there.
      #expect((1...161).contains(log.accounts.count) && log.allHaveLeft)
      #expect(log.lines.filter { $0 == "disconnected 1" }.count == 1)
      #expect(shared.status.subscribers == [])
    }
  }

  @Test func `L11: the share and its subscriptions retain the observer, and nothing else does`() {
    let source = PassthroughSubject<Int, Never>()
    var observer: ObserverLog? = ObserverLog()
    let watch = WeakReference(observer)
    var shared = observer.map { source.share(replay: .all, observer: $0) }
    observer = nil
    #expect(watch.isAlive)
    let sink = shared?.sink { _ in }
    shared = nil
    source.send(1)
    #expect(watch.isAlive)
    sink?.cancel()
    #expect(!watch.isAlive)

    observer = ObserverLog()
    let second = WeakReference(observer)
    var broadcast = observer.map { Broadcast<Int, Never>(observer: $0) }
    observer = nil
    #expect(second.isAlive)
    broadcast?.yield(1)
    broadcast = nil
    #expect(!second.isAlive)
  }
}
