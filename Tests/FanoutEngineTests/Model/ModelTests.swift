import FanoutEngine
import FanoutTestSupport
import TestThreads
import Testing

/// The hub against a reference that is too simple to be wrong, on random sequences of operations,
/// many of them done inside of receivers.
struct ModelTests {
  @Test(arguments: RetentionKind.allCases)
  func `D1 to D10, D16: a hub gives every receiver what one after another would have given it`(
    kind: RetentionKind
  ) {
    compare(kind, nil)
  }

  @Test(arguments: RetentionKind.allCases, BacklogKind.allCases)
  func `B1, B2, B3, B4, B6, D9: a hub with a policy for backlogs, likewise`(
    kind: RetentionKind, backlog: BacklogKind
  ) {
    // A current value has a policy of its own for slow receivers.
    guard kind != .newestOvertaken else { return }
    compare(kind, backlog)
  }

  private func compare(_ kind: RetentionKind, _ backlog: BacklogKind?) {
    for seed in seeds(120) {
      // Other programs for each kind of hub.
      let salt = "\(kind) \(String(describing: backlog))".utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }
      var generator = SeededChance(seed: seed ^ salt)
      let count = Int.random(in: 3...25, using: &generator)
      let operations = (0..<count).map { _ in generator.operation() }
      guard differs(kind, backlog, seed, operations) else { continue }
      let shortest = shrink(operations) { differs(kind, backlog, seed, $0) }
      let (hub, reference) = worlds(kind, backlog, seed, shortest)
      Issue.record(
        """
        FANOUT_SEED=\(seed), FANOUT_PROGRAMS=1: \(shortest)
        hub: \(hub.logs) \(hub.requested) missed \(hub.missed)
        \(hub.trace.joined(separator: "\n"))
        reference: \(reference.logs) \(reference.requested) missed \(reference.missed)
        \(reference.trace.joined(separator: "\n"))
        """)
      return
    }
  }

  private func worlds(
    _ kind: RetentionKind, _ backlog: BacklogKind?, _ seed: UInt64, _ operations: [Operation]
  ) -> (hub: World, reference: World) {
    let hub = HubWorld(kind, backlog, seed: seed)
    let reference = ReferenceWorld(kind, backlog, seed: seed)
    operations.forEach(hub.perform)
    operations.forEach(reference.perform)
    hub.tearDown()
    return (hub, reference)
  }

  private func differs(
    _ kind: RetentionKind, _ backlog: BacklogKind?, _ seed: UInt64, _ operations: [Operation]
  ) -> Bool {
    let (hub, reference) = worlds(kind, backlog, seed, operations)
    return hub.logs != reference.logs || hub.missed != reference.missed
      || hub.requested.reduce(0, +) != reference.requested.reduce(0, +)
  }

  /// Leaves operations out as long as the failure stays.
  private func shrink(_ operations: [Operation], _ fails: ([Operation]) -> Bool) -> [Operation] {
    var shortest = operations
    var index = 0
    while index < shortest.count {
      var shorter = shortest
      shorter.remove(at: index)
      if fails(shorter) { (shortest, index) = (shorter, 0) } else { index += 1 }
    }
    return shortest
  }
}
