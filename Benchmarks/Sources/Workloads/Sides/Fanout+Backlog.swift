import Fanout

extension FanoutSide {
  /// The policies for the values that wait for a slow subscriber.
  enum BacklogKind: String, CaseIterable, Sendable {
    case unbounded, dropOldest = "drop-oldest", dropNewest = "drop-newest"
    case rejoin

    fileprivate var backlog: Backlog<Int, Never> {
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
    if hasSlow { shared.receive(subscriber: slow) }
    let sends = deliveries / 3
    return Run(deliveries: sends * 3) {
      for number in 0..<sends { subject.send(number) }
      withExtendedLifetime((fast, slow)) {}
    }
  }

  /// Four loops of different speeds over a share whose upstream waits for the slowest of them.
  static func waitingLoops(_ work: PacedLoops.Work, _ count: Int) -> Run {
    let source = HeldSequence(count: count)
    let shared = source.share(backlog: .size(16, whenFull: .wait))
    return PacedLoops.run([0, 1, 2, 4], work, count, begin: source.begin) {
      await $0.run(over: shared.values)
    }
  }

  /// One loop over the source itself, which does the work of the slowest of the four.
  static func singleLoop(_ work: PacedLoops.Work, _ count: Int) -> Run {
    PacedLoops.run([4], work, count) { await $0.run(over: (0..<count).publisher.values) }
  }

  /// A subscriber that takes nothing.
  final class Taking: Subscriber {
    private var subscription: (any Subscription)?

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<Never>) {}
    deinit { subscription?.cancel() }
  }
}

/// A sequence whose only subscriber is attached to it when it is told to begin: what is shared begins when every loop
/// has joined.
private final class HeldSequence: Publisher, @unchecked Sendable {
  typealias Output = Int
  typealias Failure = Never

  private let count: Int
  private var attach: (() -> Void)?

  init(count: Int) { self.count = count }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    attach = { [count] in (0..<count).publisher.receive(subscriber: subscriber) }
  }

  func begin() {
    attach?()
    attach = nil
  }
}
