// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// An upstream that counts its connections, and sends each connection its number on request.
  private final class CountingUpstream: Publisher, @unchecked Sendable {
    typealias Output = Int
    typealias Failure = Never

    var connections = 0
    var live = 0
    private var mostLive = 0
    private var hasToldTwice = false

    final class Connection: Subscription, @unchecked Sendable {
      let upstream: CountingUpstream
      let number: Int
      var subscriber: AnySubscriber<Int, Never>?
      var isLive = true

      init(_ upstream: CountingUpstream, _ number: Int, _ subscriber: AnySubscriber<Int, Never>) {
        self.upstream = upstream
        self.number = number
        self.subscriber = subscriber
      }

      func request(_ demand: Subscribers.Demand) { _ = subscriber?.receive(number) }

      func cancel() {
        if isLive { upstream.live -= 1 } else { upstream.hasToldTwice = true }
        isLive = false
        subscriber = nil
      }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      connections += 1
      live += 1
      mostLive = Swift.max(mostLive, live)
      subscriber.receive(
        subscription: Connection(self, connections, AnySubscriber(subscriber)))
    }

    func problems(live expected: Int) -> [String] {
      (live != expected ? ["\(live) live upstream subscriptions, not \(expected)"] : [])
        + (hasToldTwice ? ["an upstream subscription was cancelled twice"] : [])
        + (mostLive > 1 ? ["\(mostLive) upstream subscriptions at a time"] : [])
    }
  }

  private final class Claim: @unchecked Sendable {
    var cancellable: (any Cancellable)?
  }

  @Suite(.serialized)
  struct ConnectionScenarioTests {
    @Test(arguments: [true, false])
    func `D12 L1 L2 explored: connect against last cancel against a new subscriber`(
      remembers: Bool
    ) {
      explore("connect|cancel|subscribe, \(remembers ? "all" : "none")") {
        let upstream = CountingUpstream()
        let shared = upstream.multicast(replay: remembers ? .all : .none)
        let automatic = shared.autoconnect()
        let history = DeliveryHistory(senders: [])
        let old = CheckedSubscriber<Never>("the old one", in: history)
        let new = CheckedSubscriber<Never>("the new one", in: history)
        let claim = Claim()
        old.subscribe(to: automatic)
        return Scenario(threads: [
          { claim.cancellable = shared.connect() },
          { old.cancel() },
          { new.subscribe(to: automatic) },
        ]) {
          var problems = upstream.problems(live: 1) + old.problems + new.problems
          let fresh = upstream.connections
          if remembers, new.values != [fresh] {
            problems.append("the new one got \(new.values), not [\(fresh)]")
          }
          claim.cancellable?.cancel()
          new.cancel()
          return (problems + upstream.problems(live: 0)).nonEmptyText
        }
      }
    }

    @Test func `D12 L9 explored: reconnect against a last cancel and a new subscriber`() {
      explore("reconnect|cancel|subscribe") {
        let upstream = CountingUpstream()
        let shared = upstream.share(replay: .all)
        let history = DeliveryHistory(senders: [])
        let old = CheckedSubscriber<Never>("the old one", in: history)
        let new = CheckedSubscriber<Never>("the new one", in: history)
        old.subscribe(to: shared)
        return Scenario(threads: [
          { shared.reconnect() }, { old.cancel() }, { new.subscribe(to: shared) },
        ]) {
          var problems = upstream.problems(live: 1) + old.problems + new.problems
          if new.values.last != upstream.connections {
            problems.append("the new one got \(new.values), not \(upstream.connections) at last")
          }
          new.cancel()
          return (problems + upstream.problems(live: 0)).nonEmptyText
        }
      }
    }

    @Test func `L1 L9 explored: reconnect against the last cancel leaves nothing open`() {
      explore("reconnect|cancel, state") {
        let upstream = CountingUpstream()
        let shared = upstream.share(reducingInto: 0, restart: []) { $0 += $1 }
        let last = shared.sink { _ in }
        return Scenario(threads: [{ shared.reconnect() }, { last.cancel() }]) {
          // An open connection would replay its first state.
          let isOpen = shared.status.isConnected || !shared.replayed.isEmpty
          return (upstream.problems(live: 0) + (isOpen ? ["a connection is open"] : []))
            .nonEmptyText
        }
      }
    }

    @Test func `D12 L6 L8 explored: the end of a grace period against a new subscriber`() {
      explore("grace, restart: time is up|subscribe|subscribe;cancel") {
        let upstream = CountingUpstream()
        let clock = TestScheduler()
        let shared = upstream.share(
          disconnect: .whenIdle(for: .seconds(1), scheduler: clock), restart: .afterFailure)
        let history = DeliveryHistory(senders: [])
        let old = CheckedSubscriber<Never>("the old one", in: history)
        let new = CheckedSubscriber<Never>("the new one", in: history)
        let other = CheckedSubscriber<Never>("the other one", in: history)
        old.subscribe(to: shared)
        old.cancel()
        return Scenario(threads: [
          { clock.advance(by: .seconds(1)) }, { new.subscribe(to: shared) },
          {
            other.subscribe(to: shared)
            other.cancel()
          },
        ]) {
          let problems = upstream.problems(live: 1) + new.problems + other.problems
          new.cancel()
          clock.advance(by: .seconds(1))
          return (problems + upstream.problems(live: 0)).nonEmptyText
        }
      }
    }

    @Test func `L1 explored: two first subscribers make one connection`() {
      explore("subscribe|subscribe") {
        let upstream = CountingUpstream()
        let shared = upstream.share(replay: .all)
        let history = DeliveryHistory(senders: [])
        let one = CheckedSubscriber<Never>("one", in: history)
        let two = CheckedSubscriber<Never>("two", in: history)
        return Scenario(threads: [
          { one.subscribe(to: shared) }, { two.subscribe(to: shared) },
        ]) {
          var problems = upstream.problems(live: 1) + one.problems + two.problems
          if upstream.connections != 1 { problems.append("\(upstream.connections) connections") }
          if one.values != [1] || two.values != [1] {
            problems.append("one got \(one.values), two got \(two.values)")
          }
          one.cancel()
          two.cancel()
          return (problems + upstream.problems(live: 0)).nonEmptyText
        }
      }
    }

    @Test func `L1 D7 explored: the last two leave, each twice, and one comes`() {
      explore("cancel|cancel|subscribe") {
        let upstream = CountingUpstream()
        let shared = upstream.share()
        let history = DeliveryHistory(senders: [])
        let one = CheckedSubscriber<Never>("one", in: history)
        let new = CheckedSubscriber<Never>("the new one", in: history)
        one.subscribe(to: shared)
        return Scenario(threads: [
          { one.cancel() }, { one.cancel() }, { new.subscribe(to: shared) },
        ]) {
          let problems = upstream.problems(live: 1) + one.problems + new.problems
          new.cancel()
          return (problems + upstream.problems(live: 0)).nonEmptyText
        }
      }
    }
  }
#endif
