internal import Fanout
internal import FanoutLifetime
internal import FanoutTestSupport

/// The connection of a program's steps to the publisher under test.
struct Wiring<Value, Failure: Error> {
  typealias Receiver = NumberingSubscriber<Value, Failure>

  /// Attaches a subscriber, and connects for it if there is anything to connect.
  let subscribe: (Receiver, _ connecting: Bool) -> Void
  let send: (Value) -> Void
  let end: (Subscribers.Completion<Failure>) -> Void
  /// Connects by hand.
  let connect: (() -> AnyCancellable)?
  /// Returns the calls that the upstream received.
  let upstreamCalls: () -> UpstreamCalls
  /// The objects that must be gone once the wiring is released.
  let watched: [(name: String, reference: WeakReference)]
}

extension Wiring {
  /// Wires a subject, driven directly.
  init<S: Subject>(subject: S) where S.Output == Value, S.Failure == Failure {
    self.init(
      subscribe: { receiver, _ in receiver.attach(to: subject) },
      send: { subject.send($0) },
      end: { subject.send(completion: $0) },
      connect: nil,
      upstreamCalls: { UpstreamCalls() },
      watched: [("the subject", WeakReference(subject))])
  }

  /// Wires a shared upstream, connected by hand and by autoconnect.
  init<S: Subject>(
    whenAsked: @escaping @Sendable () -> Void,
    _ share: (TestPublisher<Value, Failure>) ->
      Publishers.Multicast<
        TestPublisher<Value, Failure>, S
      >
  ) where S.Output == Value, S.Failure == Failure {
    let upstream = TestPublisher<Value, Failure>(whenAsked: { _, _ in whenAsked() })
    let multicast = share(upstream)
    let shared = multicast.autoconnect()
    // The subscribers of both share one claim.
    let sharedAgain = multicast.autoconnect()
    self.init(
      subscribe: { receiver, isConnecting in
        // Every other subscriber attaches through an operator, which the engine protects in another
        // way.
        switch (isConnecting, receiver.name.isMultiple(of: 2)) {
        case (true, true): receiver.attach(to: shared)
        case (true, false): receiver.attach(to: sharedAgain.map { $0 })
        case (false, true): receiver.attach(to: multicast)
        case (false, false): receiver.attach(to: multicast.map { $0 })
        }
      },
      send: { upstream.send($0) },
      end: { upstream.send(completion: $0) },
      connect: { AnyCancellable(multicast.connect()) },
      upstreamCalls: { upstream.calls },
      watched: [
        ("the upstream", WeakReference(upstream)), ("the multicast", WeakReference(multicast)),
        ("the shared publisher", WeakReference(shared)),
      ])
  }
}

extension TestPublisher {
  fileprivate var calls: UpstreamCalls {
    let subscriptions = subscriptions
    return UpstreamCalls(
      subscriptions: subscriptions.count,
      requests: subscriptions.reduce(0) { $0 + $1.requests.count },
      cancels: subscriptions.reduce(0) { $0 + $1.cancelCount })
  }
}
