import Fanout

private final class Counter: Subscriber {
  var n = 0
  func receive(subscription: any Subscription) { subscription.request(.unlimited) }
  func receive(_ input: Int) -> Subscribers.Demand {
    n += input
    return .none
  }
  func receive(completion: Subscribers.Completion<Never>) {}
}

private final class PlainSubject: Subject {
  typealias Output = Int
  typealias Failure = Never
  let base = PassthroughSubject<Int, Never>()
  func send(_ value: Int) { base.send(value) }
  func send(completion: Subscribers.Completion<Never>) { base.send(completion: completion) }
  func send(subscription: any Subscription) { base.send(subscription: subscription) }
  func receive<S: Subscriber<Int, Never>>(subscriber: S) { base.receive(subscriber: subscriber) }
}

private let numbers = PassthroughSubject<Int, Never>()

private func relayed() -> AnyCancellable {
  numbers.subscribe(PlainSubject())  // 6: 'PlainSubject' does not conform
}

// A publisher of one's own hands its subscriber on.
private struct Doubled<Upstream: Publisher<Int, Never>>: Publisher {
  typealias Output = Int
  typealias Failure = Never
  let upstream: Upstream
  func receive<S: Subscriber<Int, Never>>(subscriber: S) {
    upstream.map { $0 * 2 }.receive(subscriber: subscriber)
  }
}

private func sound() -> Int {
  let counter = Counter()
  numbers.subscribe(counter)
  Doubled(upstream: numbers).subscribe(AnySubscriber(Counter()))
  _ = numbers.subscribe(PassthroughSubject<Int, Never>())
  return counter.n
}
