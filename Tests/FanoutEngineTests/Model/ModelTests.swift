import FanoutEngine
import FanoutTestSupport
import Testing

/// The hub against a reference that is too simple to be wrong, on random sequences of operations,
/// many of them done inside of receivers.
struct ModelTests {
  private static let rounds: UInt64 = 1500

  @Test(arguments: RetentionKind.allCases)
  func `D1 to D10, D16: a hub gives every receiver what one after another would have given it`(
    kind: RetentionKind
  ) {
    for seed in 0..<Self.rounds {
      var generator = SeededChance(seed: seed)
      let count = Int.random(in: 3...25, using: &generator)
      let operations = (0..<count).map { _ in generator.operation() }
      guard differs(kind, seed, operations) else { continue }
      let shortest = shrink(operations) { differs(kind, seed, $0) }
      let (hub, reference) = worlds(kind, seed, shortest)
      Issue.record(
        """
        Seed \(seed): \(shortest)
        hub: \(hub.logs)
        \(hub.trace.joined(separator: "\n"))
        reference: \(reference.logs)
        \(reference.trace.joined(separator: "\n"))
        """)
      return
    }
  }

  private func worlds(
    _ kind: RetentionKind, _ seed: UInt64, _ operations: [Operation]
  ) -> (hub: World, reference: World) {
    let hub = HubWorld(kind, seed: seed)
    let reference = ReferenceWorld(kind, seed: seed)
    operations.forEach(hub.perform)
    operations.forEach(reference.perform)
    hub.tearDown()
    return (hub, reference)
  }

  private func differs(_ kind: RetentionKind, _ seed: UInt64, _ operations: [Operation]) -> Bool {
    let (hub, reference) = worlds(kind, seed, operations)
    return hub.logs != reference.logs
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
