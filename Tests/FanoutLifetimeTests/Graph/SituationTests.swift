import Fanout
import FanoutLifetime
import FanoutTestSupport
import Testing

/// The situations of the guide "Who keeps whom alive".
struct SituationTests {
  @Test func `O3: a subject and a sink keep each other alive until cancel`() {
    let taps = PassthroughSubject<Int, Never>()
    let reading = taps.sink { _ in }
    let graph = OwnershipGraph(of: reading, names: ["taps": taps])
    expect(
      graph,
      """
      AnyCancellable
        what it cancels: Sink (until cancel)
          publisher: PassthroughSubject 'taps' (until cancel or completion)
            subscription: Sink ↩ cycle: broken by cancel or completion
      """)
    #expect(graph.cycles.map(\.brokenBy) == [["cancel", "completion"]])
    reading.cancel()
    expect(
      OwnershipGraph(of: reading, taps),
      """
      AnyCancellable
      PassthroughSubject
      """)
  }

  @Test func `O4: a share with two subscribers holds its connection`() {
    let taps = PassthroughSubject<Int, Never>()
    let shared = taps.map { $0 + 1 }.share()
    let first = shared.sink { _ in }
    let second = shared.sink { _ in }
    expect(
      OwnershipGraph(of: shared, names: ["taps": taps]),
      """
      Share
        upstream: PassthroughSubject 'taps'
          subscription: Subscription (until cancel or completion)
            publisher: PassthroughSubject 'taps' ↩ cycle: broken by cancel or completion
            subscriber: Map.Subscription (until cancel or completion)
              upstream: Subscription ↩ cycle: broken by cancel or completion
              subscriber: Connection (until cancel or completion)
                subscription: Map.Subscription ↩ cycle: broken by disconnect, cancel or completion
                core: ShareCore (until disconnect or completion)
                  connection: Connection ↩ cycle: broken by disconnect or completion
                  subscription: Sink #1 (until cancel or completion)
                    publisher: Share ↩ cycle: broken by disconnect, cancel or completion
                  subscription: Sink #2 (until cancel or completion)
                    publisher: Share ↩ cycle: broken by disconnect, cancel or completion
                  upstream: PassthroughSubject 'taps' ↩ cycle: broken by disconnect, cancel or completion
        core: ShareCore, see above
      """)
    withExtendedLifetime((first, second)) {}
  }

  @Test func `O4: an idle share holds its upstream only`() {
    let taps = PassthroughSubject<Int, Never>()
    let shared = taps.map { $0 + 1 }.share(replay: .all)
    let reading = shared.sink { _ in }
    taps.send(1)
    reading.cancel()
    expect(
      OwnershipGraph(of: shared),
      """
      Share
        upstream: PassthroughSubject
        core: ShareCore
          upstream: PassthroughSubject, see above
      """)
  }

  @Test func `O6: a late subscriber that lags keeps what it is owed`() {
    let frames = PassthroughSubject<Int, Never>()
    let shared = frames.share(replay: .all)
    let early = shared.sink { _ in }
    for frame in 1...3 { frames.send(frame) }
    let late = TestSubscriber<Int, Never>(initialDemand: .max(1))
    shared.subscribe(late)
    expect(
      OwnershipGraph(of: shared, names: ["frames": frames]),
      """
      Share
        upstream: PassthroughSubject 'frames'
          subscription: Subscription #1 (until cancel or completion)
            publisher: PassthroughSubject 'frames' ↩ cycle: broken by cancel or completion
            subscriber: Connection (until cancel or completion)
              subscription: Subscription #1 ↩ cycle: broken by disconnect, cancel or completion
              core: ShareCore (until disconnect or completion)
                connection: Connection ↩ cycle: broken by disconnect or completion
                subscription: Sink (until cancel or completion)
                  publisher: Share ↩ cycle: broken by disconnect, cancel or completion
                subscription: Subscription #2 (until cancel or completion)
                  publisher: Share ↩ cycle: broken by disconnect, cancel or completion
                  subscriber: TestSubscriber (until cancel or completion)
                    state: not read, a value that cannot be copied
                upstream: PassthroughSubject 'frames' ↩ cycle: broken by disconnect, cancel or completion
                3 values
        core: ShareCore, see above
      """)
    early.cancel()
    late.cancel()
  }

  @Test func `O5: a sink that captures self and is kept by self is a cycle until cancel`() {
    let numbers = CurrentValueSubject<Int, Never>(0)
    let model = ViewModel(counting: numbers.labeled("numbers"))
    expect(
      OwnershipGraph(of: model),
      """
      ViewModel
        kept: AnyCancellable
          what it cancels: Sink (until cancel)
            subscription: Subscription (until cancel or completion)
              publisher: CurrentValueSubject 'numbers' (until cancel or completion)
                subscription: Subscription ↩ cycle: broken by cancel or completion
                1 value
              subscriber: Sink ↩ cycle: broken by cancel or completion
            receiveValue: ViewModel ↩ cycle: broken by cancel or completion
      """)
    model.kept = []
    expect(OwnershipGraph(of: model), "ViewModel")
  }

  @Test func `D12: a multicast that is connected by hand is held by the claim, too`() {
    let taps = PassthroughSubject<Int, Never>()
    let multicast = taps.multicast(replay: .latest)
    let reading = multicast.sink { _ in }
    let claim = multicast.connect()
    taps.send(1)
    expect(
      OwnershipGraph(of: multicast, claim, names: ["claim": claim as AnyObject]),
      """
      Multicast
        upstream: PassthroughSubject
          subscription: Subscription (until cancel or completion)
            publisher: PassthroughSubject ↩ cycle: broken by cancel or completion
            subscriber: Connection (until cancel or completion)
              subscription: Subscription ↩ cycle: broken by disconnect, cancel or completion
              core: ShareCore (until disconnect or completion)
                connection: Connection ↩ cycle: broken by disconnect or completion
                subscription: Sink (until cancel or completion)
                  publisher: Multicast ↩ cycle: broken by disconnect, cancel or completion
                upstream: PassthroughSubject ↩ cycle: broken by disconnect, cancel or completion
                1 value
        core: ShareCore, see above
      AnyCancellable 'claim'
        connection: Connection (until cancel), see above
      """)
    claim.cancel()
    expect(
      OwnershipGraph(of: multicast),
      """
      Multicast
        upstream: PassthroughSubject
        core: ShareCore
          subscription: Sink (until cancel or completion)
            publisher: Multicast ↩ cycle: broken by cancel or completion
          upstream: PassthroughSubject, see above
      """)
    reading.cancel()
  }

  private func expect(
    _ graph: OwnershipGraph, _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(graph.description == text, sourceLocation: sourceLocation)
  }
}
