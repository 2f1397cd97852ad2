import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CurrentValueTests {
  private let upstream = TestPublisher<Int, Broken>()

  @Test func `D17: it subscribes at once, asks for everything and follows`() {
    let current = upstream.share(replay: .latest, initial: 0)
    #expect(upstream.requests == [.unlimited])
    #expect(current.value == 0)
    upstream.send(1)
    #expect(current.value == 1)
    upstream.send(2)
    #expect(current.value == 2)
    #expect(upstream.subscriptionCount == 1)
  }

  @Test func `D14: an upstream that sends at once has sent when it is made`() {
    let current = (1...3).publisher.share(replay: .latest, initial: 0)
    #expect(current.value == 3)
    let late = TestSubscriber<Int, Never>()
    current.subscribe(late)
    #expect(late.events == [.subscription, .value(3), .completion(.finished)])
    let subject = CurrentValueSubject<Int, Never>(7)
    #expect(subject.share(replay: .latest, initial: 0).value == 7)
  }

  @Test func `D6: whoever comes gets the current value, and then later ones`() {
    let current = upstream.share(replay: .latest, initial: 0)
    let early = TestSubscriber<Int, Broken>()
    current.subscribe(early)
    upstream.send(1)
    let late = TestSubscriber<Int, Broken>()
    current.subscribe(late)
    upstream.send(2)
    #expect(early.values == [0, 1, 2])
    #expect(late.values == [1, 2])
    let seen = Notes<Int>()
    let sink = current.sink { _ in
    } receiveValue: {
      seen.append($0)
    }
    upstream.send(3)
    #expect(seen.all == [2, 3])
    [early, late].forEach { $0.cancel() }
    sink.cancel()
    #expect(upstream.cancelCount == 0)
  }

  @Test func `D8, D16: a slow subscriber gets the newest on its next request`() {
    let current = upstream.share(replay: .latest, initial: 0)
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    current.subscribe(slow)
    (1...3).forEach(upstream.send)
    slow.request(.max(1))
    #expect(slow.values == [3])
    (4...5).forEach(upstream.send)
    slow.request(.max(2))
    upstream.send(6)
    #expect(slow.values == [3, 5, 6])
    #expect(slow.violations == [])
    slow.cancel()
  }

  @Test(arguments: [Subscribers.Completion<Broken>.finished, .failure(Broken())])
  func `D9, D10, L4: after the end the last value stays, and a newcomer gets it before the end`(
    end: Subscribers.Completion<Broken>
  ) {
    let upstream = LooseUpstream()
    let current = upstream.share(replay: .latest, initial: 0)
    let mapped = current.map { "\($0)" }
    let early = TestSubscriber<Int, Broken>()
    let slow = TestSubscriber<Int, Broken>(initialDemand: .none)
    current.subscribe(early)
    current.subscribe(slow)
    upstream.send(1)
    #expect(upstream.heldLinks == 1)
    upstream.send(completion: end)
    #expect(upstream.heldLinks == 0)
    upstream.send(2)
    #expect(current.value == 1)
    #expect(mapped.value == "1")
    #expect(early.events == [.subscription, .value(0), .value(1), .completion(end)])
    #expect(slow.events == [.subscription])
    slow.request(.max(1))
    #expect(slow.events == [.subscription, .value(1), .completion(end)])
    let late = TestSubscriber<String, Broken>()
    mapped.subscribe(late)
    #expect(late.events == [.subscription, .value("1"), .completion(end)])
    #expect(!upstream.note.all.contains("cancel"))
  }

  @Test func `the value is the newest accepted one while a delivery is under way`() {
    let source = PassthroughSubject<Int, Never>()
    let current = source.share(replay: .latest, initial: 0)
    let mapped = current.map { $0 * 10 }
    let seen = Notes<[Int]>()
    let sink = current.sink { number in
      if number == 1 { source.send(2) }
      seen.append([number, current.value, mapped.value])
    }
    source.send(1)
    // The subject in front delivers 2 only after 1.
    #expect(seen.all == [[0, 0, 0], [1, 1, 10], [2, 2, 20]])
    sink.cancel()
  }

  @Test func `D4: the value is the newest accepted one while another thread delivers`() {
    let upstream = TestPublisher<Int, Broken>()
    let current = upstream.share(replay: .latest, initial: 0)
    let mapped = current.map { -$0 }
    let held = HeldSubscriber(at: 1)
    current.subscribe(held.subscriber)
    let sending = TestThread { upstream.send(1) }
    #expect(held.stands())
    #expect(finishes { upstream.send(2) })
    #expect(current.value == 2)
    #expect(mapped.value == -2)
    held.letGo()
    #expect(sending.join())
    #expect(held.subscriber.values == [0, 1, 2])
    held.subscriber.cancel()
  }

  @Test func `a map of a map keeps a value, and its subscribers get every value`() {
    let current = upstream.share(replay: .latest, initial: 1)
    let text = current.map { $0 * 10 }.map { "\($0)!" }
    #expect(text.value == "10!")
    let subscriber = TestSubscriber<String, Broken>(initialDemand: .max(2))
    text.subscribe(subscriber)
    upstream.send(2)
    #expect(text.value == "20!")
    upstream.send(3)
    #expect(subscriber.values == ["10!", "20!"])
    subscriber.request(.max(1))
    #expect(subscriber.values == ["10!", "20!", "30!"])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    let seen = Notes<String>()
    let sink = text.sink { _ in
    } receiveValue: {
      seen.append($0)
    }
    upstream.send(4)
    #expect(seen.all == ["30!", "40!"])
    sink.cancel()
  }

  @Test func `D3, D6: who subscribes and sends inside receive finds its place`() {
    let source = PassthroughSubject<Int, Never>()
    let current = source.share(replay: .latest, initial: 0)
    let inner = TestSubscriber<Int, Never>()
    let outer = TestSubscriber<Int, Never>(
      demandFor: { _, number in
        if number == 1 {
          source.send(2)
          current.map { $0 }.subscribe(inner)
        }
        return .none
      })
    current.subscribe(outer)
    source.send(1)
    #expect(outer.values == [0, 1, 2])
    #expect(inner.values == [1, 2])
    #expect(outer.violations + inner.violations == [])
    outer.cancel()
    inner.cancel()
  }

  @Test func `it can be combined like any publisher, and sent to another thread`() {
    let current = upstream.share(replay: .latest, initial: 1)
    let seen = Shared(0)
    let thread = TestThread { seen.value = current.map { $0 + 1 }.value }
    #expect(thread.join())
    #expect(seen.value == 2)
    let even = TestSubscriber<Int, Broken>()
    current.filter { $0 % 2 == 0 }.subscribe(even)
    (2...5).forEach(upstream.send)
    #expect(even.values == [2, 4])
    even.cancel()
  }
}
