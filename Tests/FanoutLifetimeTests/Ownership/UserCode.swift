import Fanout

/// A subscriber of the user's that keeps only its subscription, and requests on command.
typealias Waiting<Failure: Error> = WaitingFor<Token, Failure>

/// A subscriber of the user's that asks when it is told to.
final class WaitingFor<Input, Failure: Error>: Subscriber {
  private(set) var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ input: Input) -> Subscribers.Demand { .none }

  func receive(completion: Subscribers.Completion<Failure>) { subscription = nil }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }

  func cancel() {
    let old = subscription
    subscription = nil
    old?.cancel()
  }
}

/// A publisher of the user's with a subscription of its own, for one subscriber.
final class Foreign: Publisher {
  typealias Output = Token
  typealias Failure = Never

  private weak var subscription: ForeignSubscription?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Never {
    let subscription = ForeignSubscription(AnySubscriber(subscriber))
    self.subscription = subscription
    subscriber.receive(subscription: subscription)
  }

  func finish() { subscription?.finish() }
}

/// The subscription of ``Foreign``.
final class ForeignSubscription: Subscription {
  private var subscriber: AnySubscriber<Token, Never>?

  init(_ subscriber: AnySubscriber<Token, Never>) { self.subscriber = subscriber }

  func request(_ demand: Subscribers.Demand) {}

  func cancel() { subscriber = nil }

  func finish() {
    let old = subscriber
    subscriber = nil
    old?.receive(completion: .finished)
  }
}

/// A connectable publisher that was written elsewhere.
final class UserConnectable<Upstream: Publisher>: ConnectablePublisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let inner: Publishers.Multicast<Upstream, PassthroughSubject<Output, Failure>>

  init(upstream: Upstream) {
    inner = upstream.multicast(subject: PassthroughSubject())
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    inner.receive(subscriber: subscriber)
  }

  func connect() -> any Cancellable { inner.connect() }
}

struct Broken: Error {
  let token = Token()
}

final class Frame: Sendable {
  let isKeyframe: Bool
  init(isKeyframe: Bool) { self.isKeyframe = isKeyframe }
}

/// A cache of the user's that keeps everything.
struct Hoard: ReplayCache {
  private var kept: [Token] = []
  mutating func record(_ value: Token) { kept.append(value) }
  var contents: [Token] { kept }
}

/// A subject of the user's that cannot be subscribed to.
final class UserSubject: Subject {
  typealias Output = Token
  typealias Failure = Never

  private var upstream: (any Subscription)?

  func send(subscription: any Subscription) { upstream = subscription }

  func send(_ value: Token) {}

  func send(completion: Subscribers.Completion<Never>) { upstream = nil }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Token, S.Failure == Never {}

  func cancelUpstream() {
    let old = upstream
    upstream = nil
    old?.cancel()
  }
}

/// Something of the user's that can be stopped.
struct Activity: Cancellable {
  let token = Token()

  func cancel() {}
}
