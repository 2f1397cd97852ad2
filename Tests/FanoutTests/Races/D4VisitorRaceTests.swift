import Dispatch
import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Threads that send, look, come and go on one source at the same time.
struct D4VisitorRaceTests {
  /// Takes far longer than a send.
  private func work(_ value: Int) {
    var sum = value
    for number in 0..<2_000 { sum = sum &* 31 &+ number }
    // So that the optimiser leaves nothing out.
    precondition(sum != 1)
  }

  /// Lets visitors look, come and go beside a sender that does not pause before they have returned.
  private func check(
    _ publisher: some SharedPublisher<Int, Broken> & Sendable,
    send: @escaping @Sendable (Int) -> Void
  ) {
    let received = Notes<Int>()
    let slow = publisher.sink { _ in
    } receiveValue: { value in
      work(value)
      received.append(value)
    }
    let isOver = Shared(false)
    let sent = Shared(0)
    let sender = TestThread {
      while !isOver.value {
        send(sent.value)
        sent.change { $0 += 1 }
      }
    }
    let visitors = [
      TestThread { for _ in 0..<rounds(100) { _ = publisher.status } },
      TestThread { for _ in 0..<rounds(100) { _ = publisher.replayed } },
      TestThread {
        for _ in 0..<rounds(100) {
          publisher.sink { _ in
          } receiveValue: { _ in
          }.cancel()
        }
      },
    ]
    for visitor in visitors { #expect(visitor.join(atMost: .seconds(120))) }
    isOver.value = true
    #expect(sender.join(atMost: .seconds(120)))
    #expect(received.all == Array(0..<sent.value))
    slow.cancel()
  }

  // Under `.all`, which would replay more and more values, each look would take longer than the one before.
  @Test(arguments: Policy.allCases.filter { $0 != .all })
  func `D2 D4: visitors of a share come back beside a sender without a pause`(policy: Policy) {
    let source = PassthroughSubject<Int, Broken>()
    check(source.share(replay: policy.replay)) { source.send($0) }
    let subject = ReplaySubject<Int, Broken>(policy.replay)
    check(subject) { subject.send($0) }
  }
}
