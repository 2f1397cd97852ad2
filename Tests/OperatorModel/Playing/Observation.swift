package import Fanout

/// The observable state after a step.
package struct Observation: Equatable {
  /// A call that the consumer received.
  package enum Call: Hashable, CustomStringConvertible {
    case subscription
    case value(Int)
    case finished
    case failed(Int)
    /// The value returned by a call of `next()`.
    case next(Int, returned: Int?)
    /// The failure thrown by a call of `next()`.
    case thrown(Int, failure: Int)
    /// A mark that the next call came inside another one.
    case nested
    /// A mark that the next value was not requested.
    case unasked

    package var description: String {
      switch self {
      case .subscription: "subscription"
      case .value(let number): "\(number)"
      case .finished: "finished"
      case .failed(let number): "failed(\(number))"
      case .next(let call, let number): "next \(call): \(number.map { "\($0)" } ?? "nil")"
      case .thrown(let call, let failure): "next \(call): throws \(failure)"
      case .nested: "(nested)"
      case .unasked: "(not asked for)"
      }
    }
  }

  /// The calls that a driven upstream received.
  package struct Source: Equatable, CustomStringConvertible {
    /// The demand requested until it ended or was cancelled.
    package var asked = Subscribers.Demand.none
    package var cancels = 0
    package var requestsOfNothing = 0

    package var description: String {
      "asked for \(asked), cancelled \(cancels) times"
        + (requestsOfNothing > 0 ? ", asked for nothing \(requestsOfNothing) times" : "")
    }
  }

  package var calls: [Call] = []
  package var sources: [Source] = []
  /// The calls of closures: for each the place of its operator in the chain, and its number.
  package var closures: [[Int]] = []
  /// The tasks cancelled while their closures waited, numbered in the order in which the closures
  /// began.
  package var cancelledTasks: [Int] = []
  /// Whether the chain still retains the consumer.
  package var holdsConsumer = false
  /// The numbers of the values that are alive.
  package var items: [Int] = []

  /// Returns the first difference from the expected observation, in words; nil if there is none.
  package func difference(from expected: Observation) -> String? {
    if calls != expected.calls {
      return "the consumer got \(calls), which must be \(expected.calls)"
    }
    for (index, source) in expected.sources.enumerated() where index < sources.count {
      if sources[index] != source {
        return "upstream \(index) was \(sources[index]), which must be \(source)"
      }
    }
    if sources.count != expected.sources.count {
      return
        "\(sources.count) upstreams were subscribed to, which must be \(expected.sources.count)"
    }
    if closures != expected.closures {
      return "closures were called with \(closures), which must be \(expected.closures)"
    }
    if cancelledTasks != expected.cancelledTasks {
      return "the tasks \(cancelledTasks) are cancelled, which must be \(expected.cancelledTasks)"
    }
    if holdsConsumer != expected.holdsConsumer {
      return "the consumer is \(holdsConsumer ? "still" : "not") held, which must be the opposite"
    }
    if items != expected.items {
      return "the values \(items) are alive, which must be \(expected.items)"
    }
    return nil
  }
}
