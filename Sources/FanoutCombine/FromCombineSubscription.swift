// `@unchecked Sendable` invariant: the state is reached under its lock only. What it hands out is
// used by the one thread that delivers, by a thread that cancels, or is released. A subscription
// may be called from any thread, which its type cannot state.

#if canImport(Combine) || canImport(OpenCombine)
  internal import FanoutCore
  internal import Synchronization

  #if canImport(Combine)
    internal import Combine
  #else
    internal import OpenCombine
  #endif

  /// The subscription of a subscriber of Fanout's to a publisher of Combine's.
  final class FromCombineSubscription<Downstream: FanoutCore.Subscriber>: CombineSubscriber,
    FanoutCore.Subscription, CustomStringConvertible
  {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let state: Mutex<State>

    init(downstream: Downstream) { state = Mutex(State(downstream: downstream)) }

    func receive(subscription: any CombineSubscription) {
      let sent = Sent(subscription)
      let accepted = state.withLock { $0.attach(sent) }
      guard let accepted else { return subscription.cancel() }
      accepted.value.receive(subscription: self)
      deliverWaiting()
    }

    func receive(_ input: Input) -> CombineSubscribers.Demand {
      guard let downstream = accept(.value(input)) else { return .none }
      let demand = downstream.receive(input)
      deliverWaiting()
      return demand.combine
    }

    func receive(completion: CombineSubscribers.Completion<Failure>) {
      let end = Sent(Event.end(completion.fanout))
      let (accepted, isFirst) = state.withLock { ($0.accept(end), $0.upstream == nil) }
      guard let downstream = accepted?.value else { return }
      // An end that comes before the subscription counts too (D9).
      if isFirst { downstream.receive(subscription: self) }
      // Always behind what waits, so that there is one way to end.
      deliverWaiting()
    }

    func request(_ demand: FanoutCore.Subscribers.Demand) {
      let upstream = state.withLock { Sent($0.upstream) }
      upstream.value?.request(demand.combine)
    }

    func cancel() {
      let left = state.withLock { $0.cancel() }
      left.value.upstream?.cancel()
      withExtendedLifetime(left) {}
    }

    var description: String {
      let upstream = state.withLock { Sent($0.upstream) }
      return upstream.value.map { String(describing: $0) } ?? "Empty"
    }

    /// Accepts an event; returns the subscriber if the caller delivers, and nil if the event waits
    /// or is dropped.
    private func accept(_ event: Event) -> Downstream? {
      let event = Sent(event)
      return state.withLock { $0.accept(event) }?.value
    }

    /// Delivers what waits until nothing does, and stops delivering.
    private func deliverWaiting() {
      while true {
        switch state.withLock({ $0.next() }).value {
        case .deliver(let value, let downstream, let upstream):
          let demand = downstream.receive(value)
          if demand != .none { upstream?.request(demand.combine) }
        case .finish(let completion, let left):
          left.downstream?.receive(completion: completion)
          return
        case .stop(let left): return withExtendedLifetime(left) {}
        }
      }
    }
  }

  extension FromCombineSubscription {
    enum Event {
      case value(Input)
      case end(FanoutCore.Subscribers.Completion<Failure>)
    }

    /// The objects to release outside the lock.
    struct Left {
      var upstream: (any CombineSubscription)?
      var downstream: Downstream?
      var waiting: [Event?] = []
    }

    enum Step {
      case deliver(Input, Downstream, (any CombineSubscription)?)
      case finish(FanoutCore.Subscribers.Completion<Failure>, Left)
      case stop(Left)
    }

    struct State: @unchecked Sendable {
      private(set) var upstream: (any CombineSubscription)?
      /// Nil after the end, and after a cancel as soon as nothing is being delivered.
      private var downstream: Downstream?
      /// The events that came while another one was being delivered; those before `first` are gone.
      private var waiting: [Event?] = []
      private var first = 0
      private var isDelivering = false
      /// Whether nothing is accepted any more: the end has come, or a cancel.
      private var isClosed = false
      private var isCancelled = false

      init(downstream: Downstream) { self.downstream = downstream }

      /// Accepts the only subscription; returns the subscriber to give it to.
      mutating func attach(_ subscription: Sent<any CombineSubscription>) -> Sent<Downstream>? {
        guard upstream == nil, !isClosed, let downstream else { return nil }
        upstream = subscription.value
        isDelivering = true
        return Sent(downstream)
      }

      /// Accepts an event; returns the subscriber if the caller delivers it, or what waits.
      mutating func accept(_ event: Sent<Event>) -> Sent<Downstream>? {
        guard !isClosed, let downstream else { return nil }
        if case .end = event.value {
          isClosed = true
          waiting.append(event.value)
        } else if upstream == nil {
          return nil
        } else if isDelivering {
          waiting.append(event.value)
        }
        guard !isDelivering else { return nil }
        isDelivering = true
        return Sent(downstream)
      }

      /// The next thing to do for the thread that delivers.
      mutating func next() -> Sent<Step> {
        guard !isCancelled, let downstream, first < waiting.count else {
          isDelivering = false
          guard isCancelled else {
            waiting.removeAll(keepingCapacity: true)
            first = 0
            return Sent(.stop(Left()))
          }
          return Sent(.stop(takeAll()))
        }
        defer { first += 1 }
        switch waiting[first].take() {
        case .value(let value)?: return Sent(.deliver(value, downstream, upstream))
        case .end(let completion)?: return Sent(.finish(completion, takeAll()))
        case nil: preconditionFailure("An event was taken twice.")
        }
      }

      mutating func cancel() -> Sent<Left> {
        guard !isCancelled else { return Sent(Left()) }
        isCancelled = true
        isClosed = true
        guard isDelivering else { return Sent(takeAll()) }
        // The thread that delivers releases the rest.
        return Sent(Left(upstream: upstream.take()))
      }

      private mutating func takeAll() -> Left {
        defer { first = 0 }
        return Left(
          upstream: upstream.take(), downstream: downstream.take(),
          waiting: exchange(&waiting, with: []))
      }
    }
  }

  /// A value on its way into the lock or out of it.
  struct Sent<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
  }

  private func exchange<Value>(_ value: inout Value, with other: Value) -> Value {
    defer { value = other }
    return value
  }
#endif
