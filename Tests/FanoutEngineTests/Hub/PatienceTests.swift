import FanoutEngine
import Testing

/// A wait that ends, with a timer that tells of it when the test says so.
struct PatienceTests {
  /// A timer by hand.
  private final class HandTimer: ExpiryTimer {
    private(set) var epochs: [Int] = []
    private weak var subject: (any Expiring)?

    override func begin(_ epoch: Int, for subject: any Expiring) {
      epochs.append(epoch)
      self.subject = subject
    }

    func expire(_ epoch: Int) { subject?.expire(epoch) }
  }

  private let timer = HandTimer()
  private let source = AskedSource()
  private let owner: Owner<Int>

  init() {
    let timer = timer
    owner = Owner(
      .nothing,
      limits: BacklogLimits(.waiting(1).waiting(then: .droppingOldest(1)) { timer }))
    owner.hub.admitUpstream(source)
  }

  @Test func `B6: an earlier time that is told of late does not undo the end of a later one`() {
    let stuck = Receiver.attached(to: owner, asking: .none)
    owner.send(1)
    stuck.ask(1)
    owner.send(2)
    #expect(stuck.values == [1])
    #expect(timer.epochs.count == 2)
    guard timer.epochs.count == 2 else { return }
    let before = source.requests.count
    timer.expire(timer.epochs[1])
    #expect(source.requests.count == before + 1)
    timer.expire(timer.epochs[0])
    owner.send(3)
    #expect(source.requests.count == before + 2)
    stuck.ask(2)
    #expect(stuck.values == [1, 3])
    stuck.cancel()
  }

  @Test func `B6: a time that ends twice, or when there is room again, changes nothing`() {
    let slow = Receiver.attached(to: owner, asking: .none)
    owner.send(1)
    slow.ask(1)
    let before = source.requests.count
    for _ in 0..<2 { timer.expire(timer.epochs.last ?? 0) }
    #expect(source.requests.count == before)
    owner.send(2)
    owner.send(3)
    #expect(source.requests.count == before)
    slow.ask(2)
    #expect(slow.values == [1, 2, 3])
    slow.cancel()
  }

  @Test func `O2, B6: a time that ends behind a cancel does nothing`() {
    let stuck = Receiver.attached(to: owner, asking: .none)
    owner.send(1)
    stuck.cancel()
    let before = source.requests.count
    timer.expire(timer.epochs.last ?? 0)
    #expect(source.requests.count == before)
    #expect(stuck.values.isEmpty)
  }
}
