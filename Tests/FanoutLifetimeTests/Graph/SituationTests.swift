import Fanout
import FanoutLifetime
import FanoutTestSupport
import Testing

struct SituationTests {
  @Test func `O3: a subject and a sink`() {
    let taps = PassthroughSubject<Int, Never>()
    let reading = taps.sink { _ in }
    print(OwnershipGraph(of: reading, names: ["taps": taps]))
    print(OwnershipGraph(of: taps))
    reading.cancel()
    print(OwnershipGraph(of: taps))
  }

  @Test func `O4: a share with two subscribers`() {
    let taps = PassthroughSubject<Int, Never>()
    let shared = taps.map { $0 + 1 }.share()
    let first = shared.sink { _ in }
    let second = shared.sink { _ in }
    print(OwnershipGraph(of: shared, names: ["taps": taps]))
    print(OwnershipGraph(of: first, second))
    withExtendedLifetime((first, second)) {}
  }

  @Test func `O4: an idle share`() {
    let taps = PassthroughSubject<Int, Never>()
    let shared = taps.map { $0 + 1 }.share(replay: .all)
    shared.sink { _ in }.cancel()
    print(OwnershipGraph(of: shared))
  }

  @Test func `O6: a late subscriber that lags`() {
    let taps = PassthroughSubject<Int, Never>()
    let shared = taps.share(replay: .all)
    let early = shared.sink { _ in }
    for value in 1...3 { taps.send(value) }
    let late = TestSubscriber<Int, Never>(initialDemand: .max(1))
    shared.subscribe(late)
    print(OwnershipGraph(of: shared))
    withExtendedLifetime((early, late)) {}
  }

  final class ViewModel: @unchecked Sendable {
    var count = 0
    var kept: Set<AnyCancellable> = []
    init(_ numbers: some Publisher<Int, Never>) {
      numbers.sink { self.count = $0 }.store(in: &kept)
    }
  }

  @Test func `O5: a sink that captures self`() {
    let numbers = CurrentValueSubject<Int, Never>(0)
    let model = ViewModel(numbers.labeled("numbers"))
    print(OwnershipGraph(of: model))
    model.kept = []
    print(OwnershipGraph(of: model, numbers))
  }

  @Test func `D12: a multicast connected by hand`() {
    let taps = PassthroughSubject<Int, Never>()
    let multicast = taps.multicast(replay: .latest)
    let reading = multicast.sink { _ in }
    let connection = multicast.connect()
    taps.send(1)
    print(OwnershipGraph(of: multicast, connection))
    withExtendedLifetime((reading, connection)) {}
  }
}
