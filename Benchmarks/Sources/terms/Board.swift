import Fanout
import Foundation

/// Readers of a table of prices that are too slow for its changes.
struct Board {
  struct Price: Sendable {
    let symbol: Int
    let number: Int
  }

  /// A reader that takes a number of values when it is told to, and checks that no price is older than one before.
  final class Reader: Subscriber {
    private(set) var newest: [Int]
    private(set) var isInOrder = true
    private(set) var count = 0
    private var subscription: (any Subscription)?

    init(symbols: Int) { newest = [Int](repeating: -1, count: symbols) }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ price: Price) -> Subscribers.Demand {
      isInOrder = isInOrder && newest[price.symbol] < price.number
      newest[price.symbol] = price.number
      count += 1
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}

    func take(_ demand: Subscribers.Demand) { subscription?.request(demand) }

    func cancel() { subscription?.cancel() }
  }

  let symbols: Int
  let changes: Int
  let readers: Int

  struct Result {
    let nanoseconds: Double
    let mostWaiting: Int
    let delivered: Int
    let isRight: Bool
  }

  /// Sends all changes; each reader takes a tenth of their number meanwhile, and then what is left.
  func run() -> Result {
    let prices = PassthroughSubject<Price, Never>()
    let shared = prices.share(backlog: .size(256, whenFull: .conflate(by: \.symbol)))
    let readers = (0..<readers).map { _ in Reader(symbols: symbols) }
    for reader in readers { shared.subscribe(reader) }
    var chance = SystemRandomNumberGenerator()
    var newest = [Int](repeating: -1, count: symbols)
    let order = (0..<changes).map { _ in Int.random(in: 0..<symbols, using: &chance) }
    var most = 0
    let start = now
    for (number, symbol) in order.enumerated() {
      newest[symbol] = number
      prices.send(Price(symbol: symbol, number: number))
      if number % 10 == 0 { for reader in readers { reader.take(.max(1)) } }
      if number % 10_000 == 0 {
        most = max(most, shared.status.subscribers.map(\.waiting).max() ?? 0)
      }
    }
    let time = Double(now - start) / Double(changes * readers.count)
    for reader in readers { reader.take(.unlimited) }
    let isRight = readers.allSatisfy { $0.isInOrder && $0.newest == newest }
    let delivered = readers.map(\.count).reduce(0, +) / readers.count
    for reader in readers { reader.cancel() }
    return Result(nanoseconds: time, mostWaiting: most, delivered: delivered, isRight: isRight)
  }
}
