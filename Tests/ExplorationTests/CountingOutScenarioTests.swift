// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutTestSupport
  import TestFixtures
  import Testing

  /// A subscriber that requests everything and keeps its subscription, so that any thread may
  /// cancel it.
  private final class Keeper: Subscriber, @unchecked Sendable {
    var subscription: (any Subscription)?
    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(.unlimited)
    }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private final class Feed: Subscription, @unchecked Sendable {
    var requests = 0
    func request(_ demand: Subscribers.Demand) { requests += 1 }
    func cancel() {}
  }

  @Suite(.serialized)
  struct CountingOutScenarioTests {
    @Test func `D17 explored: who was cancelled by two threads at once does not count as asking`() {
      explore("cancel|cancel, then a feed") {
        let subject = PassthroughSubject<Int, Never>()
        let keeper = Keeper()
        subject.subscribe(keeper)
        return Scenario(threads: [
          { keeper.subscription?.cancel() }, { keeper.subscription?.cancel() },
        ]) {
          let feed = Feed()
          subject.send(subscription: feed)
          return feed.requests == 0 ? nil : "an upstream was asked, though nobody is attached"
        }
      }
    }

    @Test func `D17 explored: who is cancelled while the drain is busy does not count as asking`() {
      explore("send|subscribe|cancel, then a feed") {
        let subject = PassthroughSubject<Int, Never>()
        let keeper = Keeper()
        let other = Keeper()
        subject.subscribe(other)
        return Scenario(threads: [
          { subject.send(1) }, { subject.subscribe(keeper) }, { keeper.subscription?.cancel() },
        ]) {
          keeper.subscription?.cancel()
          other.subscription?.cancel()
          let feed = Feed()
          subject.send(subscription: feed)
          return feed.requests == 0 ? nil : "an upstream was asked, though nobody is attached"
        }
      }
    }
  }
#endif
