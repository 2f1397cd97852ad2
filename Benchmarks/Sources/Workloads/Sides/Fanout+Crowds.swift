// `nonisolated(unsafe)`: invariant: the task that takes values from the loops runs on the thread that waits for it.

import Fanout

extension FanoutSide {
  /// The backlogs of a crowd's members, each full with two values and offered more.
  enum FullBacklog: String, CaseIterable, Sendable {
    case dropOldest = "drop-oldest", dropNewest = "drop-newest", fail, rejoin, conflate, wait
    case waitAtMost = "wait-at-most", waitAtCost = "wait-at-cost"

    fileprivate var backlog: Backlog<Int32, Broken> {
      switch self {
      case .dropOldest: .size(2, whenFull: .dropOldest)
      case .dropNewest: .size(2, whenFull: .dropNewest)
      case .fail: .size(2, whenFull: .customError { Broken() })
      case .rejoin: .size(2, whenFull: .rejoin)
      case .conflate: .size(2, whenFull: .conflate { $0 % 2 })
      case .wait: .size(2, whenFull: .wait)
      case .waitAtMost:
        .size(2, whenFull: .wait(atMost: 9, scheduler: StoppedClock(), then: .dropOldest))
      case .waitAtCost: .limit(.cost(2) { _ in 1 }, whenFull: .wait)
      }
    }
  }

  // The values are no `Int`: the code of a second hub for the same type would be merged with that of the other
  // workloads, which would then take a jump more.
  fileprivate struct Broken: Error {}

  /// The third value is one too many, and with the fifth a backlog that has dropped all three is full again.
  private static let tooMany: Int32 = 5

  /// Subscribers come, are full, ask for a value each, and leave, in no order.
  static func subscribers(_ kind: FullBacklog, _ count: Int) -> Run {
    let source = Broadcast<Int32, Broken>(backlog: kind.backlog)
    return Run(deliveries: count) {
      let crowd = (0..<count).map { _ in CrowdMember() }
      for member in crowd { source.publisher.receive(subscriber: member) }
      for number in 0..<tooMany { source.yield(number) }
      for member in inNoOrder(crowd) { member.ask() }
      for member in inNoOrder(crowd) { member.leave() }
    }
  }

  /// Loops come, are full, take a value each, and leave, in no order; beside as many subscribers.
  static func loops(_ kind: FullBacklog, _ count: Int) -> Run {
    let source = Broadcast<Int32, Broken>(backlog: kind.backlog)
    return Run(deliveries: count) {
      let others = (0..<count).map { _ in CrowdMember() }
      for other in others { source.publisher.receive(subscriber: other) }
      nonisolated(unsafe) let crowd = Crowd(
        (0..<count).map { _ in Optional(source.values.makeAsyncIterator()) })
      for number in 0..<tooMany { source.yield(number) }
      for other in inNoOrder(others) { other.ask() }
      let places = inNoOrder(Array(crowd.members.indices))
      runToEnd {
        for place in places { _ = try? await crowd.members[place]?.next(isolation: nil) }
      }
      for place in places { crowd.members[place] = nil }
      for other in inNoOrder(others) { other.leave() }
    }
  }

  private static func inNoOrder<Member>(_ members: [Member]) -> [Member] {
    let crowd = Crowd(members)
    for place in members.indices { crowd.members.swapAt(place, crowd.anyIndex()) }
    return crowd.members
  }
}

/// A subscriber that asks when it is told to.
private final class CrowdMember: Subscriber {
  private var subscription: (any Subscription)?

  func receive(subscription: any Subscription) { self.subscription = subscription }
  func receive(_ input: Int32) -> Subscribers.Demand { .none }
  func receive(completion: Subscribers.Completion<FanoutSide.Broken>) {}
  func ask() { subscription?.request(.max(1)) }
  func leave() { subscription?.cancel() }
}

/// A clock that stands still, so that no action ever runs.
private struct StoppedClock: Scheduler {
  typealias SchedulerOptions = Never
  typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride

  struct SchedulerTimeType: Strideable {
    var ticks = 0

    func distance(to other: Self) -> Stride { Stride(other.ticks - ticks) }

    func advanced(by distance: Stride) -> Self { Self(ticks: ticks + distance.magnitude) }
  }

  var now: SchedulerTimeType { SchedulerTimeType() }
  var minimumTolerance: Stride { 0 }

  func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {}

  func schedule(
    after date: SchedulerTimeType, tolerance: Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {}

  func schedule(
    after date: SchedulerTimeType, interval: Stride, tolerance: Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable { AnyCancellable {} }
}
