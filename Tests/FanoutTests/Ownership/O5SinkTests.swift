import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct O5SinkTests {
  private func sink(
    _ share: Publishers.Share<TestPublisher<Int, Broken>>, _ mint: TokenMint, _ id: Int
  ) -> AnyCancellable {
    let token = mint.make(id)
    return share.sink(
      receiveCompletion: { _ in withExtendedLifetime(token) {} },
      receiveValue: { _ in withExtendedLifetime(token) {} })
  }

  @Test(arguments: Policy.allCases)
  func `O5: a sink of a share lets go of its closures at cancel and at the terminal`(
    policy: Policy
  ) {
    let mint = TokenMint()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let sinks = (1...3).map { sink(share, mint, $0) }
    upstream.send(1)
    #expect(mint.alive == [1, 2, 3])
    sinks[1].cancel()
    #expect(mint.alive == [1, 3])
    upstream.send(completion: .finished)
    #expect(mint.alive == [])
    withExtendedLifetime(sinks) {}
  }

  /// The delivering thread takes up 32 cancels at a time.
  @Test(arguments: Policy.allCases)
  func `O5: any number of sinks cancelled in one receive let go before the send returns`(
    policy: Policy
  ) {
    let mint = TokenMint()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let kept = Shared<[AnyCancellable]>([])
    let canceller = share.sink(
      receiveCompletion: { _ in }, receiveValue: { _ in kept.value.forEach { $0.cancel() } })
    for id in 1...100 { kept.value.append(sink(share, mint, id)) }
    upstream.send(1)
    #expect(mint.alive == [])
    canceller.cancel()
  }

  @Test(arguments: Policy.allCases)
  func `O5: one cancelled inside its own closure lets go before the send returns`(policy: Policy) {
    let mint = TokenMint()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let kept = Shared<AnyCancellable?>(nil)
    do {
      let token = mint.make(1)
      kept.value = share.sink(
        receiveCompletion: { _ in },
        receiveValue: { _ in
          kept.value?.cancel()
          withExtendedLifetime(token) {}
        })
    }
    #expect(mint.alive == [1])
    upstream.send(1)
    #expect(mint.alive == [])
    kept.value = nil
  }

  @Test(arguments: Policy.allCases)
  func `O5: one cancelled before the share's subscription lets go too, and stays silent`(
    policy: Policy
  ) {
    let mint = TokenMint()
    let heard = Notes<Int>()
    let upstream = TestPublisher<Int, Broken>()
    let share = upstream.share(replay: policy.replay)
    let sink: Subscribers.Sink<Int, Broken>
    do {
      let token = mint.make(1)
      sink = Subscribers.Sink(
        receiveCompletion: { _ in heard.append(token.id) },
        receiveValue: { _ in heard.append(token.id) })
    }
    sink.cancel()
    #expect(mint.alive == [])
    share.subscribe(sink)
    // It cancelled at once, so no subscriber was left to connect for.
    #expect(upstream.subscriptionCount == 0)
    upstream.send(1)
    #expect(heard.all == [])
  }

  @Test func `O5: with a delivery in progress elsewhere, before the next value`() {
    let mint = TokenMint()
    let busy = BusyShare(.latest)
    #expect(busy.isBusy)
    let alive = Notes<[Int]>()
    let witness = TestSubscriber<Int, Broken>(demandFor: { _, value in
      if value == 2 { alive.append(mint.alive) }
      return .none
    })
    #expect(
      finishes {
        let sink = sink(busy.share, mint, 7)
        busy.share.subscribe(witness)
        sink.cancel()
        busy.upstream.send(2)
      })
    #expect(busy.letGo())
    #expect(alive.all == [[]])
    busy.held.subscriber.cancel()
    witness.cancel()
  }
}
