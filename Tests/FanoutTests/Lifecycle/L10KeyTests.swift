import Fanout
import FanoutEngine
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import Testing

struct L10KeyTests {
  /// Publishers by key, of which each subscription is kept.
  private final class Server: Sendable {
    let requests = Shared<[String]>([])
    let answers = Shared<[String: TestPublisher<Int, Broken>]>([:])

    func answer(_ key: String) -> TestPublisher<Int, Broken> {
      requests.value.append(key)
      let publisher = answers.value[key] ?? TestPublisher()
      answers.value[key] = publisher
      return publisher
    }

    func send(_ value: Int, to key: String) { answers.value[key]?.send(value) }
  }

  private let server = Server()

  private func makeShares(
    replay: Replay<Int> = .latest, disconnect: Disconnect = .whenIdle, restart: Restart = []
  ) -> SharedByKey<String, TestPublisher<Int, Broken>> {
    SharedByKey(replay: replay, disconnect: disconnect, restart: restart) { [server] key in
      server.answer(key)
    }
  }

  private func subscriber(
    _ publisher: some Publisher<Int, Broken>
  ) -> TestSubscriber<Int, Broken> {
    let subscriber = TestSubscriber<Int, Broken>()
    publisher.subscribe(subscriber)
    return subscriber
  }

  @Test func `L10: ten callers for one key make one request, and get its answer`() {
    let shares = makeShares()
    let callers = (1...10).map { _ in subscriber(shares["a"]) }
    #expect(server.requests.value == ["a"])
    server.send(1, to: "a")
    server.answers.value["a"]?.send(completion: .finished)
    #expect(callers.allSatisfy { $0.values == [1] && $0.completion == .finished })
    #expect(shares.keys == [])
    let later = subscriber(shares["a"])
    #expect(server.requests.value == ["a", "a"] && later.values == [] && later.completion == nil)
    later.cancel()
  }

  @Test func `L10: keys know nothing of each other`() {
    let shares = makeShares()
    let (a, b) = (subscriber(shares["a"]), subscriber(shares["b"]))
    server.send(1, to: "a")
    server.answers.value["a"]?.send(completion: .failure(Broken()))
    server.send(2, to: "b")
    #expect(a.values == [1] && a.completion == .failure(Broken()))
    #expect(b.values == [2] && b.completion == nil)
    #expect(shares.keys == ["b"])
    b.cancel()
    #expect(shares.keys == [])
  }

  @Test func `L10, L6: within the grace period a key is found again, and after it begins anew`() {
    let clock = TestScheduler()
    let shares = makeShares(disconnect: .whenIdle(for: .seconds(5), scheduler: clock))
    subscriber(shares["a"]).cancel()
    clock.advance(by: .seconds(4))
    #expect(shares.keys == ["a"])
    subscriber(shares["a"]).cancel()
    clock.advance(by: .seconds(4))
    #expect(server.requests.value == ["a"])
    clock.advance(by: .seconds(1))
    #expect(shares.keys == [] && server.answers.value["a"]?.cancelCount == 1)
    subscriber(shares["a"]).cancel()
    #expect(server.requests.value == ["a", "a"])
  }

  @Test func `L10, L7: under whenReleased a key stays until the object is released`() {
    var shares: SharedByKey? = makeShares(disconnect: .whenReleased)
    for key in ["a", "b"] { shares.map { subscriber($0[key]).cancel() } }
    let staying = shares.map { subscriber($0["b"]) }
    #expect(shares?.keys.sorted() == ["a", "b"])
    shares = nil
    #expect(server.answers.value["a"]?.cancelCount == 1)
    #expect(server.answers.value["b"]?.cancelCount == 0)
    server.send(1, to: "b")
    #expect(staying?.values == [1])
    staying?.cancel()
    #expect(server.answers.value["b"]?.cancelCount == 1)
  }

  @Test func `L10, L8: a key in use starts again after an end that is in its restart`() {
    let shares = makeShares(replay: .all, restart: .afterFailure)
    let place = shares["a"].values.makeAsyncIterator()
    let first = subscriber(shares["a"])
    server.send(1, to: "a")
    server.answers.value["a"]?.send(completion: .failure(Broken()))
    let second = subscriber(shares["a"])
    server.send(2, to: "a")
    #expect(first.values == [1] && second.values == [2])
    #expect(server.requests.value == ["a", "a"])
    second.cancel()
    withExtendedLifetime(place) {}
  }

  @Test func `L10, L9: a key connects anew, with a clear replay, and others do not notice`() {
    let shares = makeShares()
    let (first, other) = (subscriber(shares["a"]), subscriber(shares["b"]))
    server.send(1, to: "a")
    shares["a"].reconnect()
    #expect(server.requests.value == ["a", "b", "a"])
    #expect(server.answers.value["a"]?.cancelCount == 1)
    #expect(server.answers.value["b"]?.cancelCount == 0)
    let second = subscriber(shares["a"])
    #expect(second.values == [])
    server.send(2, to: "a")
    #expect(first.values == [1, 2] && second.values == [2])
    first.cancel()
    #expect(shares.keys.sorted() == ["a", "b"])
    second.cancel()
    #expect(shares.keys == ["b"] && server.answers.value["a"]?.cancelCount == 2)
    other.cancel()
  }

  @Test func `L10, L9: without a connection a key does not connect, and does not come into use`() {
    let shares = makeShares()
    shares["a"].reconnect()
    #expect(server.requests.value == [] && shares.keys == [])
    subscriber(shares["a"]).cancel()
    shares["a"].reconnect()
    #expect(server.requests.value == ["a"] && shares.keys == [])
    let late = subscriber(shares["a"])
    server.answers.value["a"]?.send(completion: .finished)
    #expect(late.completion == .finished && shares.keys == [])
    shares["a"].reconnect()
    #expect(server.requests.value == ["a", "a"])
  }

  @Test func `L10: a subscriber inside the end or the cancel of the last finds a new connection`() {
    let shares = makeShares()
    let inside = Shared<[TestSubscriber<Int, Broken>]>([])
    let sink = shares["a"].handleEvents(receiveCompletion: { _ in
      inside.value.append(subscriber(shares["a"]))
    }).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    server.answers.value["a"]?.send(completion: .finished)
    let late = subscriber(shares["a"])
    server.send(1, to: "a")
    #expect(late.values == [1])
    late.cancel()
    for subscriber in inside.value { subscriber.cancel() }
    #expect(shares.keys == [])
    sink.cancel()
  }

  @Test func `L10, O2: a hundred thousand keys come and go, and none is left behind`() {
    let shares = SharedByKey<Int, Empty<Int, Never>> { _ in Empty(completeImmediately: false) }
    for key in 0..<100_000 { shares[key].sink { _ in }.cancel() }
    #expect(shares.keys.isEmpty)
    #expect(shares.shares.table.withLock { $0.slots.capacity } == 0)
  }

  @Test func `L10, O2: what a key had is released with its last subscriber`() {
    expectReleased(after: .cancel) { scope in
      let shares = SharedByKey<String, TestPublisher<Int, Never>>(replay: .all) { _ in
        TestPublisher()
      }
      let token = scope.track(Token(), "closure")
      return shares["a"].sink { _ in withExtendedLifetime(token) {} }
    }
    let tracker = LifetimeTracker()
    do {
      let shares = tracker.perform {
        makeShares(disconnect: .whenReleased, restart: [.afterFinish, .afterFailure])
      }
      tracker.perform {
        let sinks = (1...3).map { subscriber(shares["\($0)"]) }
        for sink in sinks { sink.cancel() }
      }
      #expect(shares.keys.count == 3)
    }
    #expect(tracker.survivors().isEmpty)
  }
}

private final class Token: Sendable {}
