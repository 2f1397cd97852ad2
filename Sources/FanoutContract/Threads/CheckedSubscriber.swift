// `@unchecked Sendable` invariant: the state that is not atomic is touched only inside a call that
// has found no other one in progress, and is read after every thread has ended.

package import Fanout
internal import FanoutEngine
internal import Synchronization

/// A subscriber of numbers that keeps its own account without a lock, so that it observes many
/// threads without ordering them.
package final class CheckedSubscriber<Failure: Error>: Subscriber, @unchecked Sendable {
  package typealias Input = Int

  package let name: String
  package let subscribing = CallSpan()
  package let cancelling = CallSpan()
  private let history: DeliveryHistory
  private let initialDemand: Subscribers.Demand
  private let isSink: Bool
  private let allowed = Atomic<Int>(0)
  private let callsInside = Atomic<Int>(0)
  private let problem = Atomic<Int>(0)
  private let callsAfterCancel = Atomic<Int>(0)
  private let isSubscribed = Atomic<Bool>(false)
  private let subscription = SetOnce<any Subscription>()
  private let sink = SetOnce<AnyCancellable>()
  private var received: [Int] = []
  private var ends = 0
  package private(set) var completion: Subscribers.Completion<Failure>?
  private let whenReceiving: @Sendable (CheckedSubscriber, Int) -> Void

  package init(
    _ name: String, in history: DeliveryHistory, demand: Subscribers.Demand = .unlimited,
    isSink: Bool = false,
    whenReceiving: @escaping @Sendable (CheckedSubscriber, Int) -> Void = { _, _ in }
  ) {
    self.name = name
    self.history = history
    initialDemand = demand
    self.isSink = isSink
    self.whenReceiving = whenReceiving
  }

  package var values: [Int] { received }
  package var terminals: Int { ends }
  package var hasDemandLeft: Bool {
    let allowed = allowed.load(ordering: .sequentiallyConsistent)
    return allowed == .max || allowed > received.count
  }
  /// Whether its demand was unlimited from the start, so that nothing may be dropped.
  package var isUnlimited: Bool { initialDemand == .unlimited }
  package var isCancelled: Bool { cancelling.hasBegun }

  /// The violations of the contract that this subscriber alone can detect.
  package var problems: [String] {
    let found = problem.load(ordering: .sequentiallyConsistent)
    return Problem.allCases.filter { found & $0.rawValue != 0 }.map { "\(name): \($0)" }
  }

  enum Problem: Int, CaseIterable {
    case overlap = 1
    case secondSubscription = 2
    case beforeSubscription = 4
    case notAskedFor = 8
    case afterTerminal = 16
    case afterCancel = 32
  }

  package func subscribe<P: Publisher<Int, Failure>>(to publisher: P) {
    guard isSink else { return history.measure(subscribing) { publisher.subscribe(self) } }
    isSubscribed.store(true, ordering: .sequentiallyConsistent)
    allow(.unlimited)
    history.measure(subscribing) {
      sink.set(
        publisher.sink {
          self.receive(completion: $0)
        } receiveValue: {
          _ = self.receive($0)
        })
    }
  }

  /// The subscription, or what cancels the sink, once there is one.
  private var cancellable: (any Cancellable)? { subscription.value ?? sink.value }

  package func request(_ demand: Subscribers.Demand) {
    allow(demand)
    subscription.value?.request(demand)
  }

  package func cancel() {
    guard let cancellable else { return }
    history.measure(cancelling) { cancellable.cancel() }
  }

  /// Cancels after everything has been examined.
  package func leave() { cancellable?.cancel() }

  package func receive(subscription: any Subscription) {
    call {
      if isSubscribed.exchange(true, ordering: .sequentiallyConsistent) {
        note(.secondSubscription)
      }
      self.subscription.set(subscription)
      if initialDemand != .none { request(initialDemand) }
    }
  }

  package func receive(_ input: Int) -> Subscribers.Demand {
    call {
      noteIfUnexpected()
      received.append(input)
      let allowed = allowed.load(ordering: .sequentiallyConsistent)
      if allowed != .max, received.count > allowed { note(.notAskedFor) }
      whenReceiving(self, input)
    }
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    call {
      noteIfUnexpected()
      ends += 1
      self.completion = completion
    }
  }

  private func noteIfUnexpected() {
    if !isSubscribed.load(ordering: .sequentiallyConsistent) { note(.beforeSubscription) }
    if ends > 0 { note(.afterTerminal) }
  }

  private func call(_ body: () -> Void) {
    let others = callsInside.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue
    defer { callsInside.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
    guard others == 0 else { return note(.overlap) }
    if cancelling.returned != .max,
      callsAfterCancel.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue > 1
    {
      note(.afterCancel)
    }
    body()
    #if FANOUT_EXPLORER
      // The other threads may run while this call is in progress.
      SchedulePoint.reach()
    #endif
  }

  private func allow(_ demand: Subscribers.Demand) {
    guard let more = demand.max else {
      allowed.store(.max, ordering: .sequentiallyConsistent)
      return
    }
    var old = allowed.load(ordering: .sequentiallyConsistent)
    while old != .max {
      let (isDone, original) = allowed.compareExchange(
        expected: old, desired: old + more, ordering: .sequentiallyConsistent)
      if isDone { return }
      old = original
    }
  }

  private func note(_ problem: Problem) {
    self.problem.bitwiseOr(problem.rawValue, ordering: .sequentiallyConsistent)
  }
}
