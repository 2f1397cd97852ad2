import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// An upstream that sends within a request, on a worker's thread.
struct AsyncMapUpstreamTests {
  private typealias Made = AsyncMapSubscription<Int, Never, Int, Never>

  /// A publisher that sends 2 within the request that a worker makes, and may keep that worker's thread.
  private final class Upstream: Publisher, Subscription, @unchecked Sendable {
    // Invariant: the calls come one after the other, each ordered by the one before.
    typealias Output = Int
    typealias Failure = Never

    var started: (() -> Int?)?
    private(set) var startedFor2: Int?
    private var subscriber: AnySubscriber<Int, Never>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) {
      guard startedFor2 == nil, let started else { return }
      _ = subscriber?.receive(2)
      startedFor2 = started()
      subscriber?.receive(completion: .finished)
    }

    func send1() { _ = subscriber?.receive(1) }

    func cancel() { subscriber = nil }
  }

  @Test func `D11: a value does not wait for a worker that is in the upstream`() async {
    let (upstream, ended) = (Upstream(), Arrivals())
    let subscriber = TestSubscriber<Int, Never>(whenCompleted: { _ in ended.arrive() })
    upstream.asyncMap(maxConcurrent: 2) { $0 * 10 }.subscribe(subscriber)
    let workers = (subscriber.subscription as? Made)?.workers
    upstream.started = { workers?.counts.started }
    upstream.send1()
    await ended.wait()
    #expect(upstream.startedFor2 == 2)
    #expect(subscriber.values == [10, 20])
  }
}
