package import Fanout

/// The subscriber of a chain, which records its calls and performs the program's reactions inside
/// them.
package final class Watcher: Subscriber {
  package typealias Input = Item
  package typealias Failure = Failed

  private let play: Play
  private let initialDemand: Subscribers.Demand
  private var subscription: (any Subscription)?
  private var demand = Subscribers.Demand.none

  init(_ initialDemand: Subscribers.Demand, in play: Play) {
    self.initialDemand = initialDemand
    self.play = play
  }

  package func receive(subscription: any Subscription) {
    play.called(.subscription) {
      self.subscription = subscription
      request(initialDemand)
      _ = play.react(to: .subscription)
    }
  }

  package func receive(_ item: Item) -> Subscribers.Demand {
    if demand == .none { play.observed.calls.append(.unasked) }
    demand -= 1
    let number = item.number
    return play.called(.value(number)) {
      let more = play.reactToValue()
      demand += more
      return more
    }
  }

  package func receive(completion: Subscribers.Completion<Failed>) {
    play.called(Observation.Call(completion)) { _ = play.react(to: .completion) }
  }

  func request(_ more: Subscribers.Demand) {
    guard let subscription else { return }
    demand += more
    subscription.request(more)
  }

  func cancel() { subscription?.cancel() }
}

extension Observation.Call {
  init(_ completion: Subscribers.Completion<Failed>) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failed): self = .failed(failed.number)
    }
  }
}
