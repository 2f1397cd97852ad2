import Fanout

extension FanoutSide {
  /// Which of the policies; a policy made from a closure is made anew for each use.
  enum Policy: Sendable {
    case none, latest, all, last100, sinceKeyframe

    var replay: Replay<Int> {
      switch self {
      case .none: .none
      case .latest: .latest
      case .all: .all
      case .last100: .last(100)
      case .sinceKeyframe: .sinceKeyframe { $0 % 100 == 0 }
      }
    }
  }

  /// Values are recorded by a subject that nobody listens to.
  static func recordDirectly(_ count: Int) -> Run {
    let subject = ReplaySubject<Int, Never>(.all)
    return Run(deliveries: count) {
      for number in 0..<count { subject.send(number) }
    }
  }

  /// Values from a subject are recorded behind it, while nobody listens.
  static func record(_ policy: Policy, _ count: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let recorded = subject.multicast(replay: policy.replay)
    let connection = recorded.connect()
    return Run(deliveries: count) {
      for number in 0..<count { subject.send(number) }
      withExtendedLifetime((recorded, connection)) {}
    }
  }

  /// Somebody joins late, and gets what is remembered of all values: that many a time.
  static func join(
    _ policy: Policy, remembered: Int, of recordedCount: Int, _ deliveries: Int
  ) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let recorded = subject.multicast(replay: policy.replay)
    let connection = recorded.connect()
    for number in 0..<recordedCount { subject.send(number) }
    let joins = deliveries / remembered
    return Run(deliveries: joins * remembered) {
      for _ in 0..<joins { recorded.sink { Counter.add($0, .fanoutJoin) }.cancel() }
      withExtendedLifetime(connection) {}
    }
  }

  /// One takes values one at a time, far behind, beside one who takes all.
  static func slow(behind count: Int, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let recorded = subject.multicast(replay: .all)
    let connection = recorded.connect()
    let slow = Slow()
    recorded.receive(subscriber: slow)
    let fast = recorded.sink { Counter.add($0, .fanout) }
    for number in 0..<count { subject.send(number) }
    let sends = deliveries / 2
    return Run(deliveries: sends * 2) {
      for number in 0..<sends {
        subject.send(number)
        slow.askForOne()
      }
      withExtendedLifetime((connection, fast)) {}
    }
  }

  private final class Slow: Subscriber {
    private var subscription: (any Subscription)?

    func askForOne() { subscription?.request(.max(1)) }

    func receive(subscription: any Subscription) { self.subscription = subscription }

    func receive(_ input: Int) -> Subscribers.Demand {
      Counter.add(input, .fanout)
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
}
