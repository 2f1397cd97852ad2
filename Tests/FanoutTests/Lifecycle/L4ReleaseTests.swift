import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct L4ReleaseTests {
  private static let ends: [Subscribers.Completion<Broken>] = [.finished, .failure(Broken())]

  private func forms(_ upstream: LooseUpstream) -> [AnyPublisher<Int, Broken>] {
    [
      upstream.multicast { PassthroughSubject<Int, Broken>() }.autoconnect().eraseToAnyPublisher(),
      upstream.multicast(subject: CurrentValueSubject<Int, Broken>(0)).autoconnect()
        .eraseToAnyPublisher(),
      upstream.multicast(subject: UserSubject<Int, Broken>()).autoconnect().eraseToAnyPublisher(),
    ] + Policy.allCases.map { upstream.share(replay: $0.replay).eraseToAnyPublisher() }
  }

  @Test func `L4: at a terminal upstream is released, not cancelled, before it is delivered`() {
    for index in forms(LooseUpstream()).indices {
      for end in Self.ends {
        let upstream = LooseUpstream()
        let share = forms(upstream)[index]
        let heldAtEnd = Notes<Int>()
        let subscribers = (0..<2).map { _ in
          TestSubscriber<Int, Broken>(whenCompleted: { _ in heldAtEnd.append(upstream.heldLinks) })
        }
        subscribers.forEach(share.subscribe)
        upstream.send(1)
        #expect(upstream.heldLinks == 1)
        upstream.send(completion: end)
        #expect(subscribers.map(\.completion) == [end, end])
        #expect(heldAtEnd.all == [0, 0])
        #expect(!upstream.note.all.contains("cancel"))
        subscribers.forEach { $0.cancel() }
        #expect(!upstream.note.all.contains("cancel"))
      }
    }
  }

  @Test func `L4: also behind operators`() {
    let upstream = LooseUpstream()
    let heldAtEnd = Notes<Int>()
    let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { _ in
      heldAtEnd.append(upstream.heldLinks)
    })
    upstream.map { $0 }.scan(0, +).filter { _ in true }.share(replay: .all).map { $0 }
      .subscribe(subscriber)
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(subscriber.completion == .finished)
    #expect(heldAtEnd.all == [0])
    #expect(!upstream.note.all.contains("cancel"))
  }

  @Test func `L4: also with nobody attached, a claim by hand, and values owed`() {
    let upstream = LooseUpstream()
    let multicast = upstream.multicast(replay: .all)
    let lagging = TestSubscriber<Int, Broken>(initialDemand: .none)
    let claim = multicast.connect()
    upstream.send(1)
    multicast.subscribe(lagging)
    upstream.send(completion: .finished)
    #expect(upstream.heldLinks == 0)
    #expect(lagging.completion == nil)
    claim.cancel()
    lagging.request(.unlimited)
    #expect(lagging.completion == .finished)
    #expect(!upstream.note.all.contains("cancel"))
  }

  @Test(arguments: Policy.allCases)
  func `L4: also while a delivery is in progress on another thread`(policy: Policy) {
    let upstream = LooseUpstream()
    let share = upstream.share(replay: policy.replay)
    let held = HeldSubscriber(at: 1)
    share.subscribe(held.subscriber)
    let sending = TestThread { upstream.send(1) }
    #expect(held.stands())
    #expect(finishes { upstream.send(completion: .finished) })
    held.letGo()
    #expect(sending.join())
    #expect(held.subscriber.completion == .finished)
    #expect(upstream.heldLinks == 0)
    #expect(!upstream.note.all.contains("cancel"))
  }

  @Test(arguments: Policy.allCases)
  func `L4: who subscribes from inside the terminal finds the upstream gone`(policy: Policy) {
    let upstream = LooseUpstream()
    let share = upstream.share(replay: policy.replay)
    let late = TestSubscriber<Int, Broken>()
    let first = TestSubscriber<Int, Broken>(whenCompleted: { _ in share.subscribe(late) })
    share.subscribe(first)
    upstream.send(completion: .finished)
    #expect(late.completion == .finished)
    #expect(upstream.subscriptionCount == 1)
  }
}
