import FanoutCore
import FanoutTestSupport
import Testing

/// A fault of an operator that otherwise passes everything on.
enum PlantedFault: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case none
  case losesAValue
  case changesAValue
  case deliversAValueTwice
  case losesTheEnd
  case endsTooEarly
  case asksForOneMore
  case losesARequest
  case losesReturnedDemand
  case swallowsTheCancel
  case cancelsTwice
  case goesOnAfterTheCancel

  var testDescription: String { rawValue }
}

/// An operator that passes everything on, but for its fault.
struct Planting<Upstream: Publisher>: Publisher where Upstream.Output == Int {
  typealias Output = Int
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let fault: PlantedFault

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    upstream.receive(subscriber: Relay(subscriber, fault))
  }

  private final class Relay<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Int, Downstream.Failure == Upstream.Failure {
    private var downstream: Downstream?
    private let fault: PlantedFault
    private var upstream: (any Subscription)?
    private var count = 0
    private var requests = 0
    private var cancels = 0

    init(_ downstream: Downstream, _ fault: PlantedFault) {
      self.downstream = downstream
      self.fault = fault
    }

    func receive(subscription: any Subscription) {
      upstream = subscription
      downstream?.receive(subscription: self)
    }

    func receive(_ input: Int) -> Subscribers.Demand {
      count += 1
      let isChosen = count == 3
      if fault == .losesAValue, isChosen { return .none }
      if fault == .endsTooEarly, isChosen {
        downstream?.receive(completion: .finished)
        return .none
      }
      let demand = downstream?.receive(fault == .changesAValue && isChosen ? -1 : input) ?? .none
      if fault == .deliversAValueTwice, isChosen { _ = downstream?.receive(input) }
      return fault == .losesReturnedDemand ? .none : demand
    }

    func receive(completion: Subscribers.Completion<Upstream.Failure>) {
      upstream = nil
      if fault != .losesTheEnd { downstream?.receive(completion: completion) }
      downstream = nil
    }

    func request(_ demand: Subscribers.Demand) {
      requests += 1
      if fault == .losesARequest, requests == 2 { return }
      upstream?.request(fault == .asksForOneMore ? demand + 1 : demand)
    }

    func cancel() {
      cancels += 1
      if fault != .swallowsTheCancel { upstream?.cancel() }
      if fault == .cancelsTwice { upstream?.cancel() }
      // The second cancel lets go, as the two would keep each other alive otherwise.
      if fault == .goesOnAfterTheCancel, cancels == 1 { return }
      upstream = nil
      downstream = nil
    }
  }
}
