import Fanout
import FanoutTestSupport
import TestThreads

/// Runs a script on the real thing.
final class RealShare: @unchecked Sendable {
  // Invariant: used on one thread.
  private let upstream = TestPublisher<Token, Never>()
  private let multicast:
    Publishers.Multicast<
      TestPublisher<Token, Never>, ReplaySubject<Token, Never>
    >
  private let auto: AnyPublisher<Token, Never>
  private let script: Script
  private let mint = TokenMint()
  private(set) var subscribers: [TestSubscriber<Int, Never>] = []
  private var claims: [AnyCancellable] = []

  init(_ policy: Policy, _ script: Script) {
    multicast = upstream.multicast(replay: policy.replay { $0.id })
    auto = multicast.autoconnect().eraseToAnyPublisher()
    self.script = script
  }

  var alive: Set<Int> { Set(mint.alive) }

  func log(of index: Int) -> [String] {
    subscribers[index].events.compactMap { event in
      switch event {
      case .subscription: nil
      case .value(let value): "\(value)"
      case .completion: "finished"
      }
    }
  }

  func subscribe(auto isAuto: Bool, demand: Int) {
    let index = subscribers.count
    let subscriber = TestSubscriber<Int, Never>(
      initialDemand: Self.demand(demand),
      demandFor: { [unowned self] _, value in react(index, value) })
    subscribers.append(subscriber)
    if isAuto {
      auto.map(\.id).subscribe(subscriber)
    } else {
      multicast.map(\.id).subscribe(subscriber)
    }
  }

  func send(_ value: Int) { upstream.send(mint.make(value)) }

  func finish() { upstream.send(completion: .finished) }

  func request(_ index: Int, _ count: Int) {
    guard subscribers.indices.contains(index) else { return }
    subscribers[index].request(Self.demand(count))
  }

  func cancel(_ index: Int) {
    guard subscribers.indices.contains(index) else { return }
    subscribers[index].cancel()
  }

  func connect() { claims.append(AnyCancellable(multicast.connect())) }

  func disconnect() {
    guard !claims.isEmpty else { return }
    claims.removeFirst().cancel()
  }

  func cleanUp() {
    subscribers.forEach { $0.cancel() }
    claims = []
  }

  private func react(_ index: Int, _ value: Int) -> Subscribers.Demand {
    switch script.reaction(of: index, to: value) {
    case .nothing: return .none
    case .send(let next): send(next)
    case .cancel(let other): cancel(other)
    case .request(let other, let count): request(other, count)
    case .allow(let count): return .max(count)
    }
    return .none
  }

  private static func demand(_ count: Int) -> Subscribers.Demand {
    count == .max ? .unlimited : .max(count)
  }
}
