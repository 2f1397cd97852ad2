import Fanout

extension Question {
  /// Who receives, and how much is asked for.
  static var subscribers: [Question] {
    [
      Question(
        title: "demand, eight subscribers",
        habits: [
          asking("unlimited", [Asking](repeating: .unlimited, count: 8)),
          asking("one at a time", [Asking](repeating: .one, count: 8)),
          asking("a hundred at a time", [Asking](repeating: .hundred, count: 8)),
          asking("one of them one at a time", [Asking](repeating: .unlimited, count: 7) + [.one]),
        ]),
      Question(
        title: "a kind of subscriber, eight of them",
        habits: [
          .sends("sink", sinks: 8) { subject in
            (0..<8).map { _ in subject.sink { count($0, 1) } }
          },
          asking("a class of one's own", [Asking](repeating: .unlimited, count: 8)),
          .sends("AnySubscriber of that", sinks: 8) { subject in
            for _ in 0..<8 { subject.subscribe(AnySubscriber(Reader(.unlimited))) }
            return []
          },
        ]),
      Question(
        title: "sending, one sink",
        habits: [
          .sends("from outside") { [$0.sink { count($0, 2) }] },
          Habit("from inside the sink") {
            let subject = Numbers()
            let sink = subject.sink { [unowned subject] in
              count($0, 3)
              if $0 > 0 { subject.send($0 - 1) }
            }
            return { withExtendedLifetime(sink) { subject.send(2_000_000) } }
          },
        ]),
    ]
  }

  private static func asking(_ name: String, _ all: [Asking]) -> Habit {
    .sends(name, sinks: 8) { subject in
      for asking in all { subject.subscribe(Reader(asking)) }
      return []
    }
  }
}

enum Asking { case unlimited, one, hundred }

/// A subscriber that asks for more when it has received what it asked for.
private final class Reader: Subscriber {
  private let batch: Subscribers.Demand
  private let size: Int
  private var received = 0

  init(_ asking: Asking) {
    switch asking {
    case .unlimited: (batch, size) = (.unlimited, .max)
    case .one: (batch, size) = (.max(1), 1)
    case .hundred: (batch, size) = (.max(100), 100)
    }
  }

  func receive(subscription: any Subscription) { subscription.request(batch) }

  func receive(_ input: Int) -> Subscribers.Demand {
    count(input, 4)
    received += 1
    guard received == size else { return .none }
    received = 0
    return batch
  }

  func receive(completion: Subscribers.Completion<Never>) {}
}
