import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct L8RestartTests {
  private let upstream = TestPublisher<Int, Broken>()

  @Test(arguments: [Restart.afterFinish, .afterFailure])
  func `L8, D9: who lags still gets the old values and the old end, and a newcomer the new ones`(
    restart: Restart
  ) {
    let end: Subscribers.Completion<Broken> =
      restart == .afterFinish ? .finished : .failure(Broken())
    let share = upstream.share(replay: .all, restart: restart)
    let slow = TestSubscriber<Int, Broken>(initialDemand: .max(1))
    share.subscribe(slow)
    (1...3).forEach(upstream.send)
    upstream.send(completion: end)
    let newcomer = TestSubscriber<Int, Broken>()
    share.subscribe(newcomer)
    upstream.send(4)
    #expect(newcomer.events == [.subscription, .value(4)])
    slow.request(.unlimited)
    #expect(slow.values == [1, 2, 3])
    #expect(slow.completion == end)
    // The old one's end does not count the new one's subscriber out.
    #expect(upstream.cancelCount == 0)
    newcomer.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L8: who comes from inside the end finds one new connection, on any path`() {
    let share = upstream.share(replay: .all, restart: .afterFailure)
    let later = (0..<3).map { _ in TestSubscriber<Int, Broken>() }
    let early = (0..<3).map { index in
      TestSubscriber<Int, Broken>(whenCompleted: { _ in share.subscribe(later[index]) })
    }
    early.forEach { share.subscribe($0) }
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(upstream.subscriptionCount == 2)
    upstream.send(2)
    for subscriber in early { #expect(subscriber.values == [1]) }
    for subscriber in later { #expect(subscriber.values == [2]) }
    later.forEach { $0.cancel() }
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L8, L5: by hand the next connect() begins anew, and its subscribers wait for it`() {
    let multicast = upstream.multicast(replay: .all, restart: .afterFinish)
    let early = TestSubscriber<Int, Broken>()
    multicast.subscribe(early)
    let first = multicast.connect()
    upstream.send(1)
    upstream.send(completion: .finished)
    let late = TestSubscriber<Int, Broken>()
    multicast.subscribe(late)
    #expect(late.events == [.subscription])
    #expect(upstream.subscriptionCount == 1)
    let second = multicast.connect()
    upstream.send(2)
    #expect(late.events == [.subscription, .value(2)])
    #expect(early.values == [1])
    // A claim on the old connection does nothing to the new one.
    first.cancel()
    #expect(upstream.cancelCount == 0)
    second.cancel()
    #expect(upstream.cancelCount == 1)
    late.cancel()
  }

  @Test func `L8, D12: several autoconnects of one multicast begin one new connection`() {
    let multicast = upstream.multicast(replay: .none, restart: .afterFinish)
    let both = [multicast.autoconnect(), multicast.autoconnect()]
    let early = both.map { automatic in
      let subscriber = TestSubscriber<Int, Broken>()
      automatic.subscribe(subscriber)
      return subscriber
    }
    #expect(upstream.subscriptionCount == 1)
    upstream.send(completion: .finished)
    let late = both.map { automatic in
      let subscriber = TestSubscriber<Int, Broken>()
      automatic.subscribe(subscriber)
      return subscriber
    }
    #expect(upstream.subscriptionCount == 2)
    for subscriber in early { #expect(subscriber.completion == .finished) }
    late[0].cancel()
    #expect(upstream.cancelCount == 0)
    late[1].cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `L8: a loop that comes after the end gets the new connection's values`() async throws {
    let share = upstream.share(replay: .all, restart: .afterFinish)
    var first = share.values.makeAsyncIterator()
    upstream.send(1)
    upstream.send(completion: .finished)
    var second = share.values.makeAsyncIterator()
    upstream.send(2)
    #expect(try await first.next() == 1)
    #expect(try await first.next() == nil)
    #expect(try await second.next() == 2)
    #expect(upstream.subscriptionCount == 2)
  }

  /// Sends a token through the connection of a multicast and ends that, begins the next one, and expects the token to
  /// be released.
  private func expectOldConnectionReleased(
    reading: (Publishers.Multicast<AnyPublisher<Token, Broken>, ReplaySubject<Token, Broken>>)
      -> AnyCancellable,
    beginning: (Publishers.Multicast<AnyPublisher<Token, Broken>, ReplaySubject<Token, Broken>>)
      -> AnyCancellable
  ) {
    let source = Shared(PassthroughSubject<Token, Broken>())
    let multicast = Deferred { source.value }.eraseToAnyPublisher()
      .multicast(replay: .all, restart: .afterFinish)
    let reader = reading(multicast)
    let watch = {
      let token = Token()
      source.value.send(token)
      return WeakReference(token)
    }()
    let old = source.value
    source.value = PassthroughSubject()
    old.send(completion: .finished)
    let next = beginning(multicast)
    let isAlive = watch.isAlive
    withExtendedLifetime((multicast, reader, next, isAlive)) {}
    #expect(!isAlive)
  }

  private func sink<P: Publisher>(on publisher: P) -> AnyCancellable
  where P.Output == Token, P.Failure == Broken {
    publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }

  @Test func `L8, O6: a claim on the ended connection keeps none of its values`() {
    let claims = Shared<[any Cancellable]>([])
    expectOldConnectionReleased { multicast in
      claims.change { $0.append(multicast.connect()) }
      return AnyCancellable {}
    } beginning: { multicast in
      claims.change { $0.append(multicast.connect()) }
      return sink(on: multicast)
    }
    claims.value = []
  }

  @Test func `L8: an autoconnect drops the old replay when another begins the next connection`() {
    let kept = Shared<[AnyObject]>([])
    expectOldConnectionReleased { multicast in
      let first = multicast.autoconnect()
      kept.change { $0.append(first) }
      return sink(on: first)
    } beginning: { multicast in
      let second = multicast.autoconnect()
      kept.change { $0.append(second) }
      return sink(on: second)
    }
    expectOldConnectionReleased { multicast in
      let first = multicast.autoconnect()
      kept.change { $0.append(first) }
      return sink(on: first)
    } beginning: { multicast in
      AnyCancellable(multicast.connect())
    }
    kept.value = []
  }

  @Test func `autoconnects that are dropped leave nothing at their multicast`() {
    let multicast = upstream.multicast(replay: .none, restart: .afterFinish)
    for _ in 0..<10_000 { _ = multicast.autoconnect() }
    guard case .core(.newest(let cores)) = multicast.target else {
      Issue.record("a multicast that starts again has generations")
      return
    }
    #expect(cores.followerCount < 100)
  }

  @Test func `L8: the old replay goes when the next connection begins`() {
    let source = PassthroughSubject<Token, Broken>()
    let share = source.share(replay: .all, restart: .afterFinish)
    let slow = TestSubscriber<Token, Broken>(initialDemand: .none)
    share.subscribe(slow)
    let watch = {
      let token = Token()
      source.send(token)
      return WeakReference(token)
    }()
    source.send(completion: .finished)
    slow.cancel()
    #expect(watch.isAlive)
    let next = share.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(!watch.isAlive)
    next.cancel()
  }
}
