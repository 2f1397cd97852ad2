package import FanoutCore
internal import TestThreads

// Written as a user would, from the public protocols only: a publisher with a subscription, a
// stateful operator, and a subscriber. They use no internals of the package.

/// A user's subject, which delivers on one thread to the subscribers with demand.
package final class CustomSubject<Output, Failure: Error>: Publisher {
  package init() {}

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

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let inner = Inner(subscriber)
    links.append(inner)
    subscriber.receive(subscription: inner)
  }

  package func send(
    _ values: some Sequence<Output>, completion: Subscribers.Completion<Failure>? = nil
  ) {
    for value in values { links.forEach { $0.offer(value) } }
    if let completion { links.forEach { $0.offer(completion: completion) } }
  }
}

private class CustomLink<Output, Failure: Error> {
  func offer(_ value: Output) {}
  func offer(completion: Subscribers.Completion<Failure>) {}
}

/// A user's scan, with a subscription of its own.
package struct CustomScan<Upstream: Publisher, Output>: Publisher {
  package typealias Failure = Upstream.Failure

  package let upstream: Upstream
  package let initial: Output
  package let next: (Output, Upstream.Output) -> Output

  package init(
    upstream: Upstream, initial: Output, next: @escaping (Output, Upstream.Output) -> Output
  ) {
    (self.upstream, self.initial, self.next) = (upstream, initial, next)
  }

  package final class Inner<Downstream: Subscriber>: Subscriber, Subscription
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

    package func receive(subscription: any Subscription) {
      upstream = subscription
      downstream?.receive(subscription: self)
    }

    package func receive(_ input: Upstream.Output) -> Subscribers.Demand {
      result = next(result, input)
      return downstream?.receive(result) ?? .none
    }

    package func receive(completion: Subscribers.Completion<Failure>) {
      let last = downstream
      (downstream, upstream) = (nil, nil)
      last?.receive(completion: completion)
    }

    package func request(_ demand: Subscribers.Demand) { upstream?.request(demand) }

    package func cancel() {
      let last = upstream
      (downstream, upstream) = (nil, nil)
      last?.cancel()
    }
  }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(self, subscriber))
  }
}

/// A user's sink.
package final class CustomSink<Input, Failure: Error>: Subscriber, Cancellable {
  package init() {}

  package private(set) var values: [Input] = []
  package private(set) var completion: Subscribers.Completion<Failure>?
  private var subscription: (any Subscription)?

  package func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  package func receive(_ input: Input) -> Subscribers.Demand {
    values.append(input)
    return .none
  }

  package func receive(completion: Subscribers.Completion<Failure>) {
    self.completion = completion
    subscription = nil
  }

  package func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// A publisher that passes its subscriber to two publishers, one after the other.
package struct SubscribesTwice<First: Publisher, Second: Publisher>: Publisher
where First.Output == Second.Output, First.Failure == Second.Failure {
  package typealias Output = First.Output
  package typealias Failure = First.Failure

  let first: First
  let second: Second

  package init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    first.receive(subscriber: subscriber)
    second.receive(subscriber: subscriber)
  }
}
