import Fanout

extension Question {
  /// How a chain is written.
  static var chains: [Question] {
    [
      Question(
        title: "erasing a chain with one sink",
        habits: [
          .sends("not at all") { [$0.map { $0 &+ 1 }.scan(0) { $0 &+ $1 }.sink { count($0, 1) }] },
          .sends("at its end") {
            [$0.map { $0 &+ 2 }.scan(0) { $0 &+ $1 }.eraseToAnyPublisher().sink { count($0, 2) }]
          },
          .sends("in the middle") {
            [$0.map { $0 &+ 3 }.eraseToAnyPublisher().scan(0) { $0 &+ $1 }.sink { count($0, 3) }]
          },
          .sends("after each step") {
            [
              $0.eraseToAnyPublisher().map { $0 &+ 4 }.eraseToAnyPublisher().scan(0) { $0 &+ $1 }
                .eraseToAnyPublisher().sink { count($0, 4) }
            ]
          },
        ]),
      Question(
        title: "erasing around share(), eight sinks",
        habits: [
          shared("not at all") {
            $0.map { $0 &+ 5 }.share()
          } sink: {
            count($0, 5)
          },
          shared("below") {
            $0.map { $0 &+ 6 }.share().eraseToAnyPublisher()
          } sink: {
            count($0, 6)
          },
          shared("above") {
            $0.map { $0 &+ 7 }.eraseToAnyPublisher().share()
          } sink: {
            count($0, 7)
          },
        ]),
      Question(
        title: "an operator of one's own below share(), eight sinks",
        habits: [
          shared("none") {
            $0.share()
          } sink: {
            count($0, 15)
          },
          shared("map") {
            $0.share().map { $0 &+ 16 }
          } sink: {
            count($0, 16)
          },
          shared("one's own") {
            PassedOn(upstream: $0.share())
          } sink: {
            count($0, 17)
          },
        ]),
      Question(
        title: "an operator of one's own above share(), eight sinks",
        habits: [
          shared("map") {
            $0.map { $0 &+ 18 }.share()
          } sink: {
            count($0, 18)
          },
          shared("one's own") {
            PassedOn(upstream: $0).share()
          } sink: {
            count($0, 19)
          },
        ]),
    ]
  }

  @inline(__always)
  private static func shared<P: Publisher<Int, Never>>(
    _ name: String, _ share: @escaping (Numbers) -> P, sink: @escaping @Sendable (Int) -> Void
  ) -> Habit {
    .sends(name, sinks: 8) { subject in
      let publisher = share(subject)
      return (0..<8).map { _ in publisher.sink(receiveValue: sink) }
    }
  }
}

/// An operator as a user writes it: values go through an object of its own.
struct PassedOn<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Inner(subscriber))
  }

  private final class Inner<Downstream: Subscriber>: Subscriber {
    private let downstream: Downstream

    init(_ downstream: Downstream) { self.downstream = downstream }

    func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand { downstream.receive(input) }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      downstream.receive(completion: completion)
    }
  }
}
