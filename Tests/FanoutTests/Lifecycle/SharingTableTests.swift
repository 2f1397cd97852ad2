import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// Every combination of when a share disconnects, after which ends it starts again, and what happens to it.
struct SharingTableTests {
  enum Leaving: CaseIterable, Sendable {
    case whenIdle, afterGrace, whenReleased

    func disconnect(_ clock: TestScheduler) -> Disconnect {
      switch self {
      case .whenIdle: .whenIdle
      case .afterGrace: .whenIdle(for: .seconds(5), scheduler: clock)
      case .whenReleased: .whenReleased
      }
    }
  }

  enum Event: CaseIterable, Sendable {
    case value, finish, failure, lastLeaves, comesInTheGrace, comesAfterTheGrace, endsInTheGrace
    case failsInTheGrace, leavesInsideItsEnd, reconnect, reconnectInTheGrace, clear
  }

  struct Cell: Sendable, CustomTestStringConvertible {
    let leaving: Leaving
    let restart: Restart
    let event: Event

    var testDescription: String { "\(leaving), restart \(restart.rawValue), \(event)" }

    static let all = Leaving.allCases.flatMap { leaving in
      [Restart(), .afterFinish, .afterFailure, [.afterFinish, .afterFailure]].flatMap { restart in
        Event.allCases.map { Cell(leaving: leaving, restart: restart, event: $0) }
      }
    }

    /// The connections that the upstream has seen, and the events of the newcomer.
    var expected: (connections: Int, cancels: Int, newcomer: [RecordedEvent<Int, Broken>]) {
      func afterEnd(_ end: Subscribers.Completion<Broken>, _ option: Restart) -> (
        Int, Int, [RecordedEvent<Int, Broken>]
      ) {
        restart.contains(option)
          ? (2, 0, [.subscription]) : (1, 0, [.subscription, .value(1), .completion(end)])
      }
      let stays: (Int, Int, [RecordedEvent<Int, Broken>]) = (
        1, 0, [.subscription, .value(1)]
      )
      let isClosed: (Int, Int, [RecordedEvent<Int, Broken>]) = (2, 1, [.subscription])
      switch event {
      case .value: return (1, 0, [.subscription, .value(1), .value(2)])
      case .finish, .leavesInsideItsEnd: return afterEnd(.finished, .afterFinish)
      case .failure: return afterEnd(.failure(Broken()), .afterFailure)
      case .reconnect: return (2, 1, [.subscription])
      case .reconnectInTheGrace: return (2, 1, [.subscription])
      case .clear: return (1, 0, [.subscription])
      case .lastLeaves, .comesInTheGrace: return leaving == .whenIdle ? isClosed : stays
      case .comesAfterTheGrace: return leaving == .whenReleased ? stays : isClosed
      case .endsInTheGrace:
        return leaving == .whenIdle ? isClosed : afterEnd(.finished, .afterFinish)
      case .failsInTheGrace:
        return leaving == .whenIdle ? isClosed : afterEnd(.failure(Broken()), .afterFailure)
      }
    }
  }

  @Test(arguments: Cell.all)
  func `L1, L2, L3, L6, L7, L8, L9, T1: each cell of the table`(cell: Cell) {
    let clock = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(
      replay: .all, disconnect: cell.leaving.disconnect(clock), restart: cell.restart)
    let newcomer = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>(whenCompleted: { subscriber in
      guard cell.event == .leavesInsideItsEnd else { return }
      subscriber.cancel()
      share.subscribe(newcomer)
    })
    share.subscribe(first)
    upstream.send(1)
    switch cell.event {
    case .value: upstream.send(2)
    case .finish, .leavesInsideItsEnd: upstream.send(completion: .finished)
    case .failure: upstream.send(completion: .failure(Broken()))
    case .lastLeaves: first.cancel()
    case .reconnect: share.reconnect()
    case .reconnectInTheGrace:
      first.cancel()
      share.reconnect()
      clock.advance(by: .seconds(4))
    case .clear: share.clearReplay()
    case .comesInTheGrace:
      first.cancel()
      clock.advance(by: .seconds(4))
    case .comesAfterTheGrace:
      first.cancel()
      clock.advance(by: .seconds(5))
    case .endsInTheGrace:
      first.cancel()
      upstream.send(completion: .finished)
      clock.advance(by: .seconds(9))
    case .failsInTheGrace:
      first.cancel()
      upstream.send(completion: .failure(Broken()))
      clock.advance(by: .seconds(9))
    }
    if cell.event != .leavesInsideItsEnd { share.subscribe(newcomer) }
    let expected = cell.expected
    #expect(newcomer.events == expected.newcomer)
    #expect(upstream.subscriptionCount == expected.connections)
    #expect(upstream.cancelCount == expected.cancels)
    // The next value is for who is there now, and is no part of what was.
    upstream.send(3)
    let isLive = newcomer.completion == nil
    #expect(newcomer.events == expected.newcomer + (isLive ? [.value(3)] : []))
    #expect(newcomer.violations + first.violations == [])
    newcomer.cancel()
    first.cancel()
  }

  @Test(arguments: Leaving.allCases)
  func `L6, L7, O4: with the share everything is released`(leaving: Leaving) {
    let clock = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    var share: Publishers.Share? = upstream.share(
      replay: .all, disconnect: leaving.disconnect(clock))
    let watch = WeakReference(share)
    let subscriber = TestSubscriber<Int, Broken>()
    share?.subscribe(subscriber)
    share = nil
    // The subscription retains the share.
    #expect(watch.isAlive)
    #expect(upstream.cancelCount == 0)
    subscriber.cancel()
    #expect(!watch.isAlive)
    #expect(upstream.cancelCount == 1)
    clock.advance(by: .seconds(9))
    #expect(upstream.cancelCount == 1)
  }
}
