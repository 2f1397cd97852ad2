import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Grace, release, threshold and restart while threads come and go.
struct LingeringRaceTests {
  @Test func `L6: with timers on another thread nobody loses its connection, and nothing is left`()
  {
    let upstream = TestPublisher<Int, Broken>()
    let clock = TestScheduler()
    let share = upstream.share(
      replay: .all, disconnect: .whenIdle(for: .seconds(1), scheduler: clock))
    let comeAndGo: @Sendable () -> Void = {
      for _ in 0..<rounds(150) {
        let subscriber = TestSubscriber<Int, Broken>()
        share.subscribe(subscriber)
        upstream.send(1)
        subscriber.cancel()
      }
    }
    together([comeAndGo, comeAndGo, { for _ in 0..<300 { clock.advance(by: .seconds(1)) } }])
    clock.advance(by: .seconds(2))
    #expect(upstream.subscriptions.allSatisfy { $0.cancelCount == 1 })
    let last = TestSubscriber<Int, Broken>()
    share.subscribe(last)
    #expect(last.values == [])
    upstream.send(2)
    #expect(last.values == [2])
    last.cancel()
  }

  @Test func `L8: newcomers beside an end see one connection each`() {
    for round in 0..<rounds(100) {
      let upstream = TestPublisher<Int, Broken>()
      let share = upstream.share(
        replay: .all, restart: round % 2 == 0 ? .afterFinish : .afterFailure)
      let first = TestSubscriber<Int, Broken>()
      share.subscribe(first)
      upstream.send(1)
      let newcomers = (0..<2).map { _ in TestSubscriber<Int, Broken>() }
      let joining = newcomers.map { newcomer -> @Sendable () -> Void in
        { share.subscribe(newcomer) }
      }
      together(
        [{ upstream.send(completion: round % 2 == 0 ? .finished : .failure(Broken())) }] + joining)
      for newcomer in newcomers {
        let isOld = newcomer.values == [1] && newcomer.completion != nil
        let isNew = newcomer.values == [] && newcomer.completion == nil
        #expect(isOld || isNew, "\(newcomer.events)")
        newcomer.cancel()
      }
      #expect(upstream.subscriptionCount <= 2)
    }
  }

  @Test func `L1: threads that come and go around a threshold leave nothing connected`() {
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.multicast(replay: .all).autoconnect(subscribers: 2)
    let comeAndGo: @Sendable () -> Void = {
      for _ in 0..<rounds(200) {
        let subscriber = TestSubscriber<Int, Broken>()
        share.subscribe(subscriber)
        subscriber.cancel()
      }
    }
    together([comeAndGo, comeAndGo, comeAndGo])
    #expect(upstream.subscriptions.allSatisfy { $0.cancelCount == 1 })
    let two = (0..<2).map { _ in TestSubscriber<Int, Broken>() }
    two.forEach { share.subscribe($0) }
    upstream.send(7)
    for subscriber in two { #expect(subscriber.values == [7]) }
    two.forEach { $0.cancel() }
  }
}
