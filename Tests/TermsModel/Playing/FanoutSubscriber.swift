// `@unchecked Sendable` invariant: a program runs on one thread.

internal import Fanout

/// The events of a subscriber.
final class EventRecord: @unchecked Sendable {
  fileprivate(set) var events: [Observation.Event] = []

  func note(_ event: Observation.Event) { events.append(event) }
}

/// A subscriber that writes down what it gets and asks for what a program says.
///
/// It knows the values by a closure, so that it can listen to numbers and to deliveries.
final class FanoutSubscriber<Input>: Subscriber {
  typealias Failure = Observation.Failure

  private let record: EventRecord
  private let event: (Input) -> Observation.Event
  private let demand: Subscribers.Demand
  private let returns: Int?
  private var subscription: (any Subscription)?

  init(
    _ guest: Program.Guest, record: EventRecord, event: @escaping (Input) -> Observation.Event
  ) {
    demand = guest.demand.map { .max($0) } ?? .unlimited
    returns = guest.returns
    self.event = event
    self.record = record
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(demand)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    record.note(event(input))
    return returns.map(record.events.count.isMultiple) == true ? .max(1) : .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    record.note(Observation.Event(completion))
  }

  func request(_ count: Int) { subscription?.request(.max(count)) }

  func cancel() { subscription?.cancel() }
}

extension Observation.Event {
  init(_ completion: Subscribers.Completion<Observation.Failure>) {
    switch completion {
    case .finished: self = .finished
    case .failure(let failure): self = .failed(failure)
    }
  }

  init(_ delivery: Delivery<Int>) {
    switch delivery {
    case .replayed(let number): self = .replayed(number)
    case .caughtUp: self = .caughtUp
    case .live(let number): self = .live(number)
    case .missed(let count): self = .missed(count)
    }
  }
}
