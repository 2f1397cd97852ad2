import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D3ReentrantSendTests {
  @Test(arguments: Policy.allCases, Source.allCases)
  func `D3: a send inside receive waits until the current value has reached everybody`(
    policy: Policy, source: Source
  ) {
    let driven = source.make()
    let share = driven.publisher.share(replay: policy.replay)
    let log = Notes<String>()
    let send = driven.send
    let sinks = ["a", "b", "c"].map { name in
      share.sink(receiveCompletion: { _ in }) { value in
        log.append("\(name)\(value)")
        if name != "c", value < 100 { send(value * 100) }
        log.append("-\(name)")
      }
    }
    driven.send(1)
    // The send has returned, so everything has been delivered.
    let expected = [1, 100, 100].flatMap { value in
      ["a", "b", "c"].flatMap { ["\($0)\(value)", "-\($0)"] }
    }
    #expect(log.all == expected)
    sinks.forEach { $0.cancel() }
  }

  @Test(arguments: Policy.allCases)
  func `D3: a terminal sent inside receive waits too, and nothing follows it`(policy: Policy) {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let subscribers = (0..<2).map { index in
      TestSubscriber<Int, Broken>(
        demandFor: { _, value in
          if index == 0, value == 1 {
            upstream.send(2)
            upstream.send(completion: .failure(Broken()))
            upstream.send(3)
          }
          return .none
        },
        whenCompleted: { _ in upstream.send(4) })
    }
    subscribers.forEach(share.subscribe)
    upstream.send(1)
    for subscriber in subscribers {
      #expect(
        subscriber.events == [.subscription, .value(1), .value(2), .completion(.failure(Broken()))])
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D3: a send during a replay is seen after the replay`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let share = upstream.share(replay: .all)
    let first = TestSubscriber<Int, Broken>()
    share.subscribe(first)
    for value in 1...3 { upstream.send(value) }
    let late = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value < 4 { upstream.send(value + 10) }
      return .none
    })
    share.subscribe(late)
    #expect(late.values == [1, 2, 3, 11, 12, 13])
    #expect(first.values == [1, 2, 3, 11, 12, 13])
    #expect(late.violations + first.violations == [])
    [first, late].forEach { $0.cancel() }
  }

  @Test func `D3: two shares that feed each other take turns`() {
    let ping = PassthroughSubject<Int, Never>()
    let pong = PassthroughSubject<Int, Never>()
    let pings = ping.share(replay: .latest)
    let pongs = pong.share(replay: .all)
    let log = TestSubscriber<Int, Never>()
    let sinks = [
      pings.sink { if $0 < 50 { pong.send($0 + 1) } },
      pongs.sink { if $0 < 50 { ping.send($0 + 1) } },
    ]
    pings.subscribe(log)
    ping.send(0)
    #expect(log.values == Array(stride(from: 0, through: 50, by: 2)))
    #expect(log.violations == [])
    sinks.forEach { $0.cancel() }
    log.cancel()
  }
}
