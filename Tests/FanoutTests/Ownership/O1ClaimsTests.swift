import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct O1ClaimsTests {
  @Test func `O1: what connect() returns retains the connection, and cancels it when it dies`() {
    let upstream = LooseUpstream()
    var multicast: Publishers.Multicast? = upstream.multicast(replay: .all)
    let reference = WeakReference(multicast)
    var claim = multicast.map { AnyCancellable($0.connect()) }
    multicast = nil
    // Nothing holds the multicast; the connection continues for the holder of the claim.
    #expect(upstream.heldLinks == 1)
    #expect(upstream.note.all == ["request unlimited"])
    withExtendedLifetime(claim) {}
    claim = nil
    #expect(upstream.note.all == ["request unlimited", "cancel"])
    #expect(upstream.heldLinks == 0)
    #expect(!reference.isAlive)
  }

  @Test func `O1: a claim that was cancelled holds nothing any more`() {
    let upstream = LooseUpstream()
    let claims = [
      upstream.multicast(replay: .latest).connect(),
      upstream.multicast { PassthroughSubject<Int, Broken>() }.connect(),
    ]
    #expect(upstream.heldLinks == 2)
    claims.forEach { $0.cancel() }
    #expect(upstream.heldLinks == 0)
    withExtendedLifetime(claims) {}
  }

  @Test func `O1: a sink of a share that is dropped is cancelled`() {
    let upstream = TestPublisher<Int, Never>()
    let share = upstream.share(replay: .all)
    var sink: AnyCancellable? = share.sink { _ in }
    #expect(upstream.subscriptionCount == 1)
    withExtendedLifetime(sink) {}
    #expect(upstream.cancelCount == 0)
    sink = nil
    #expect(upstream.cancelCount == 1)
  }

  @Test func `O1: a set of cancellables keeps shares going, and lets go of all at once`() {
    let upstream = TestPublisher<Int, Never>()
    let share = upstream.share()
    var kept: Set<AnyCancellable> = []
    for _ in 0..<3 { share.sink { _ in }.store(in: &kept) }
    upstream.makeConnectable().connect().store(in: &kept)
    #expect(upstream.subscriptionCount == 2)
    #expect(upstream.cancelCount == 0)
    kept = []
    #expect(upstream.cancelCount == 2)
  }
}
