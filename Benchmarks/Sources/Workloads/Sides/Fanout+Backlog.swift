import Fanout

extension FanoutSide {
  /// The policies for the values that wait for a slow subscriber.
  enum BacklogKind: String, CaseIterable, Sendable {
    case unbounded, dropOldest = "drop-oldest", dropNewest = "drop-newest"
    case rejoin

    fileprivate var backlog: Backlog<Never> {
      switch self {
      case .unbounded: .unbounded
      case .dropOldest: .size(256, whenFull: .dropOldest)
      case .dropNewest: .size(256, whenFull: .dropNewest)
      case .rejoin: .size(256, whenFull: .rejoin)
      }
    }
  }

  /// Three take all, alone or beside one that takes nothing.
  static func beside(_ kind: BacklogKind, hasSlow: Bool, _ deliveries: Int) -> Run {
    let subject = PassthroughSubject<Int, Never>()
    let shared = subject.share(backlog: kind.backlog)
    let fast = (0..<3).map { _ in
      shared.sink { Counter.add($0, .fanout) }
    }
    let slow = Taking()
    if hasSlow { shared.subscribe(slow) }
    let sends = deliveries / 3
    return Run(deliveries: sends * 3) {
      for number in 0..<sends { subject.send(number) }
      withExtendedLifetime((fast, slow)) {}
    }
  }

  /// A subscriber that takes nothing.
  private final class Taking: Subscriber {
    private var subscription: (any Subscription)?

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
    deinit { subscription?.cancel() }
  }
}
