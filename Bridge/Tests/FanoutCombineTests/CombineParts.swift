// `@unchecked Sendable` invariant: the state is under a lock; a subscriber and a subscription may be called from
// any thread, which their types cannot state.

import FanoutOpenCombine
import FanoutTestSupport
import OpenCombine

struct Broken: Error, Equatable {}

/// A subscriber of OpenCombine's that notes everything, and asks when it is told to.
final class Probe<Input: Sendable, Failure: Error>: CombineSubscriber, @unchecked Sendable {
  private struct State {
    var events: [String] = []
    var values: [Input] = []
    var depth = 0
    var deepest = 0
  }

  private let state = Shared(State())
  private let link = Shared<UncheckedBox<any CombineSubscription>?>(nil)
  private let initialDemand: CombineSubscribers.Demand
  private let demandFor: @Sendable (Probe, Input) -> CombineSubscribers.Demand

  init(
    initialDemand: CombineSubscribers.Demand = .unlimited,
    demandFor: @escaping @Sendable (Probe, Input) -> CombineSubscribers.Demand = { _, _ in .none }
  ) {
    self.initialDemand = initialDemand
    self.demandFor = demandFor
  }

  var events: [String] { state.value.events }
  var values: [Input] { state.value.values }
  /// How many calls were nested at most.
  var deepest: Int { state.value.deepest }

  func receive(subscription: any CombineSubscription) {
    note("subscription")
    link.value = UncheckedBox(subscription)
    if initialDemand != .none { subscription.request(initialDemand) }
  }

  func receive(_ input: Input) -> CombineSubscribers.Demand {
    state.change { state in
      state.values.append(input)
      state.depth += 1
      state.deepest = max(state.deepest, state.depth)
    }
    defer { state.change { $0.depth -= 1 } }
    note("\(input)")
    return demandFor(self, input)
  }

  func receive(completion: CombineSubscribers.Completion<Failure>) {
    switch completion {
    case .finished: note("finished")
    case .failure(let error): note("\(error)")
    }
  }

  func request(_ demand: CombineSubscribers.Demand) { link.value?.value.request(demand) }

  func cancel() {
    let old = link.value
    link.value = nil
    old?.value.cancel()
  }

  private func note(_ event: String) { state.change { $0.events.append(event) } }
}

/// A publisher of OpenCombine's that is driven by hand, for one subscriber.
final class Driven<Output: Sendable, Failure: Error>: CombinePublisher, @unchecked Sendable {
  private let subscriber = Shared<UncheckedBox<AnySubscriber<Output, Failure>>?>(nil)
  private let noted = Shared<[String]>([])
  /// Called with each request, after it was noted.
  let whenRequested = Shared<@Sendable (Driven) -> Void>({ _ in })

  /// The requests and cancels, in order.
  var notes: [String] { noted.value }

  func receive<S: CombineSubscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    self.subscriber.value = UncheckedBox(AnySubscriber(subscriber))
    subscriber.receive(subscription: Link(parent: self))
  }

  /// Sends a value; returns the demand that the subscriber returns.
  @discardableResult
  func send(_ value: Output) -> CombineSubscribers.Demand {
    subscriber.value?.value.receive(value) ?? .none
  }

  func send(completion: CombineSubscribers.Completion<Failure>) {
    let old = subscriber.value
    subscriber.value = nil
    old?.value.receive(completion: completion)
  }

  private final class Link: CombineSubscription {
    private let parent: Driven

    init(parent: Driven) { self.parent = parent }

    func request(_ demand: CombineSubscribers.Demand) {
      parent.noted.change { $0.append("\(demand)") }
      parent.whenRequested.value(parent)
    }

    func cancel() {
      parent.noted.change { $0.append("cancel") }
      parent.subscriber.value = nil
    }
  }
}

/// A value that may be used from any thread, although its type does not say so.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
