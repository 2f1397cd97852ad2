#if DEBUG
  import FanoutTestSupport
  import Testing

  @testable import FanoutEngine

  /// Each planted fault is an invariant that does not hold.
  struct HubInvariantTests {
    private let owner = Owner<Int>(.last(2))
    private var hub: Hub<Int, String> { owner.hub }

    @Test func `the invariants hold while receivers lag`() {
      let slow = Attached(to: owner, asking: credit(1)) { _ in }
      for number in 1...5 { owner.send(number) }
      #expect(hub.brokenInvariant == nil)
      slow.cursor.cancel()
      #expect(hub.brokenInvariant == nil)
    }

    @Test func `a place that is kept for nobody is found`() {
      hub.retention.passFloor = 0
      #expect(hub.brokenInvariant?.hasPrefix("I1") == true)
      hub.retention.passFloor = .max
      hub.members.isPassing = true
      #expect(hub.brokenInvariant?.hasPrefix("I1") == true)
      hub.members.isPassing = false
    }

    @Test func `a counter that counts wrong is found`() {
      let counters: [WritableKeyPath<Membership<Int, String>, Int>] = [
        \.irregular, \.behind, \.awaiting, \.lackingSubscription, \.stalled.count,
        \.stalled.takingNothing,
      ]
      for counter in counters {
        hub.members[keyPath: counter] += 1
        #expect(hub.brokenInvariant?.hasPrefix("I2") == true)
        hub.members[keyPath: counter] -= 1
        #expect(hub.brokenInvariant == nil)
      }
    }

    @Test func `a receiver that lags and counts as regular is found`() {
      let slow = Attached(to: owner, asking: credit(1)) { _ in }
      for number in 1...3 { owner.send(number) }
      slow.cursor.isIrregular = false
      hub.members.irregular -= 1
      #expect(hub.brokenInvariant?.hasPrefix("I3") == true)
      slow.cursor.isIrregular = true
      hub.members.irregular += 1
      slow.cursor.cancel()
    }
  }
#endif
