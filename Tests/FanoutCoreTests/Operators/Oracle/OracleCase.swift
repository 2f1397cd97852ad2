import FanoutCore
import FanoutTestSupport
import TestFixtures
import Testing

/// The demand for the upstream that a demand of the subscriber's leads to.
enum UpstreamDemand: Sendable {
  /// What the subscriber has requested and not received.
  case same
  /// Everything, from the subscription on.
  case everything
  /// What the subscriber has requested, and so many values that are left out.
  case more(Int)
  /// So many values for each requested one.
  case times(Int)
  /// Not compared.
  case any

  /// Returns the demand behind a chain that has one and an operator that has the other.
  func followed(by other: UpstreamDemand) -> UpstreamDemand {
    if case .everything = self { return .everything }
    if case .same = self, case .same = other { return .same }
    return .any
  }
}

/// An operator beside the function over an array that it has to agree with.
struct OracleCase: Sendable, CustomTestStringConvertible {
  /// A chain from numbers to numbers.
  struct Chained: Sendable {
    let demand: UpstreamDemand
    let make: @Sendable (AnyPublisher<Int, Broken>) -> AnyPublisher<Int, Broken>
    let oracle: @Sendable (Inputs) -> Outcome<Int>

    /// Returns the chain with another one behind it.
    func followed(by other: Chained) -> Chained {
      Chained(
        demand: demand.followed(by: other.demand), make: { other.make(make($0)) },
        oracle: {
          let outcome = oracle($0)
          return other.oracle(Inputs(values: outcome.values, end: outcome.end))
        })
    }
  }

  let name: String
  /// Returns how the operator differs from the function in the program of a seed, or nil if it does not.
  let difference: @Sendable (UInt64) -> String?
  /// The operator, if it can be part of a chain.
  let chained: Chained?

  init<P: Publisher & SendableMetatype>(
    _ name: String, _ demand: UpstreamDemand = .same, isChain: Bool = false,
    _ make: @escaping @Sendable (AnyPublisher<Int, Broken>) -> P,
    oracle: @escaping @Sendable (Inputs) -> Outcome<P.Output>
  ) where P.Output: Equatable & Sendable {
    self.name = name
    difference = { OracleProgram(seed: $0).difference(make, oracle, demand, isChain: isChain) }
    guard P.Output.self == Int.self else {
      chained = nil
      return
    }
    chained = Chained(
      demand: demand,
      make: { upstream in
        let numbers = make(upstream).map { $0 as? Int ?? 0 }
        return numbers.mapError { _ in Broken() }.eraseToAnyPublisher()
      },
      oracle: { oracle($0) as? Outcome<Int> ?? Outcome([], nil) })
  }

  /// Creates a case of a chain.
  init(_ name: String, _ chain: Chained) {
    self.init(name, chain.demand, isChain: true, chain.make, oracle: chain.oracle)
  }

  var testDescription: String { name }
}
