import FanoutCore
import TestThreads

// Written as somebody else would, from the public protocols only: a publisher with a subscription,
// a stateful operator, and a subscriber. They know nothing of the package's own.

/// A subject of somebody else's: it delivers to those who have asked, in one thread.
final class CustomSubject<Output, Failure: Error>: Publisher {
  fileprivate final class Inner<Downstream: Subscriber>: CustomLink<Output, Failure>, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none

    init(_ downstream: Downstream) { self.downstream = downstream }

    func request(_ demand: Subscribers.Demand) { self.demand += demand }
    func cancel() { downstream = nil }

    override func offer(_ value: Output) {
      guard demand > 0, let downstream else { return }
      demand -= 1
      demand += downstream.receive(value)
    }

    override func offer(completion: Subscribers.Completion<Failure>) {
      let last = downstream
      downstream = nil
      last?.receive(completion: completion)
    }
  }

  private var links: [CustomLink<Output, Failure>] = []

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber)
    links.append(inner)
    subscriber.receive(subscription: inner)
  }

  func send(_ values: some Sequence<Output>, completion: Subscribers.Completion<Failure>? = nil) {
    for value in values { links.forEach { $0.offer(value) } }
    if let completion { links.forEach { $0.offer(completion: completion) } }
  }
}

private class CustomLink<Output, Failure: Error> {
  func offer(_ value: Output) {}
  func offer(completion: Subscribers.Completion<Failure>) {}
}

/// A scan of somebody else's, with a subscription of its own.
struct CustomScan<Upstream: Publisher, Output>: Publisher {
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let initial: Output
  let next: (Output, Upstream.Output) -> Output

  final class Inner<Downstream: Subscriber>: Subscriber, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private var result: Output
    private let next: (Output, Upstream.Output) -> Output
    private var downstream: Downstream?
    private var upstream: (any Subscription)?

    init(_ parent: CustomScan, _ downstream: Downstream) {
      result = parent.initial
      next = parent.next
      self.downstream = downstream
    }

    func receive(subscription: any Subscription) {
      upstream = subscription
      downstream?.receive(subscription: self)
    }

    func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      result = next(result, input)
      return downstream?.receive(result) ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let last = downstream
      (downstream, upstream) = (nil, nil)
      last?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    func cancel() {
      let last = upstream
      (downstream, upstream) = (nil, nil)
      last?.cancel()
    }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(Inner(self, subscriber))
  }
}

/// A sink of somebody else's.
final class CustomSink<Input, Failure: Error>: Subscriber, Cancellable {
  private(set) var values: [Input] = []
  private(set) var completion: Subscribers.Completion<Failure>?
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    self.completion = completion
    subscription = nil
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}
