import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A shared publisher whose type is hidden.
struct AnySharedPublisherTests {
  @Test func `D2: a publisher that is erased twice, and one that joined, is the same shared one`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .all)
    let erased = AnySharedPublisher(shared.eraseToAnySharedPublisher())
    let first = TestSubscriber<Int, Never>()
    erased.subscribe(first)
    for value in 1...3 { source.send(value) }
    let late = TestSubscriber<Int, Never>()
    erased.joining(.last(1)).subscribe(late)
    let again = TestSubscriber<Int, Never>()
    shared.joining(.last(2)).eraseToAnySharedPublisher().subscribe(again)
    source.send(4)
    #expect(first.values == [1, 2, 3, 4])
    #expect(late.values == [3, 4])
    #expect(again.values == [2, 3, 4])
    #expect("\(erased)" == "AnySharedPublisher")
    for subscriber in [first, late, again] { subscriber.cancel() }
  }

  @Test func `D6: sinks get the replay, or what the place of the hidden publisher says`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .all).eraseToAnySharedPublisher()
    let received = Notes<String>()
    var sinks = [shared.sink { received.append("early \($0)") }]
    for value in 1...2 { source.send(value) }
    sinks.append(shared.sink { received.append("late \($0)") })
    sinks.append(
      shared.joining(.last(1)).eraseToAnySharedPublisher().sink { received.append("last \($0)") })
    #expect(received.all == ["early 1", "early 2", "late 1", "late 2", "last 2"])
    sinks.removeAll()
    source.send(3)
    #expect(received.count == 5)
  }

  @Test func `O4: it retains what it hides, and a sink does until its cancel`() {
    let source = PassthroughSubject<Int, Never>()
    var watch: WeakReference?
    var sink: AnyCancellable?
    do {
      let share = source.share(replay: .latest)
      watch = WeakReference(share)
      let erased = share.eraseToAnySharedPublisher()
      sink = erased.sink { _ in }
    }
    #expect(watch?.isAlive == true)
    sink?.cancel()
    #expect(watch?.isAlive == false)
    sink = nil
  }

  @Test
  func `L9, B5: what only a shared publisher has goes through: status, reconnect, deliveries`() {
    let source = TestPublisher<Int, Never>()
    let erased = source.share(replay: .last(2)).eraseToAnySharedPublisher()
    let subscriber = TestSubscriber<Delivery<Int>, Never>()
    erased.deliveries().subscribe(subscriber)
    source.send(1)
    #expect(erased.replayed == [1])
    erased.reconnect()
    #expect(source.subscriptionCount == 2)
    #expect(erased.replayed == [])
    #expect(erased.status.isConnected)
    #expect(subscriber.values == [.caughtUp, .live(1)])
    subscriber.cancel()
    #expect(!erased.status.isConnected)
  }
}
