import Dispatch
import FanoutTestSupport
import TestThreads
import Testing

@testable import FanoutEngine

/// A thread that delivers for others comes back (D4).
struct HubHandoverTests {
  private let owner = Owner<Int>(.everything)

  /// Takes far longer than a send.
  private func work(_ value: Int) {
    var sum = value
    for number in 0..<2_000 { sum = sum &* 31 &+ number }
    // So that the optimiser leaves nothing out.
    precondition(sum != 1)
  }

  /// Makes a call on a thread that becomes the one that delivers, beside a thread that sends without a pause.
  ///
  /// - Parameter call: The call. It runs a closure inside a receiver: when this returns, a value waits.
  /// - Returns: Whether the call came back while the other thread sent.
  private func comesBack(
    _ call: @escaping @Sendable (_ inside: @escaping @Sendable () -> Void) -> Void
  ) -> Bool {
    let owner = owner
    let isOver = Shared(false)
    let sender = Shared<TestThread?>(nil)
    let caller = TestThread {
      call {
        sender.value = TestThread { while !isOver.value { owner.send(0) } }
        while owner.hub.withInbox({ $0.work.isEmpty }) {}
      }
    }
    let hasReturned = caller.join(atMost: .seconds(60))
    isOver.value = true
    return sender.value?.join() == true && caller.join() && hasReturned
  }

  @Test func `D4: a send comes back beside a fast sender`() {
    let owner = owner
    #expect(
      comesBack { inside in
        let slow = Attached(to: owner) { if $0 == 1 { inside() } else { work($0) } }
        owner.send(1)
        slow.cursor.cancel()
      })
  }

  @Test func `D4: a subscriber comes back beside a fast sender`() {
    let owner = owner
    owner.send(1)
    #expect(
      comesBack { inside in
        let slow = Attached(to: owner) { if $0 == 1 { inside() } else { work($0) } }
        slow.cursor.cancel()
      })
  }

  @Test func `D4: a request comes back beside a fast sender`() {
    let owner = owner
    let slow = Attached(to: owner) { work($0) }
    owner.send(1)
    #expect(
      comesBack { inside in
        let waiting = Attached(to: owner, asking: .none) { if $0 == 1 { inside() } }
        waiting.cursor.request(credit(1))
        waiting.cursor.cancel()
      })
    slow.cursor.cancel()
  }

  @Test func `D4: threads that look, come and go beside a fast sender come back`() {
    let owner = Owner<Int>(.nothing)
    let slow = Attached(to: owner) { work($0) }
    let isOver = Shared(false)
    let sender = TestThread { while !isOver.value { owner.send(0) } }
    let visitors = [
      TestThread {
        for _ in 0..<rounds(2000) { _ = owner.hub.status { ReceiverCounter() } }
      },
      TestThread { for _ in 0..<rounds(2000) { Attached(to: owner) { _ in }.cursor.cancel() } },
    ]
    for visitor in visitors { #expect(visitor.join(atMost: .seconds(120))) }
    isOver.value = true
    #expect(sender.join())
    slow.cursor.cancel()
  }

  @Test func `D4: a sender paces itself again when another one has come and gone`() {
    let owner = Owner<Int>(.nothing)
    let slow = Attached(to: owner) { work($0) }
    let sender = Shared<TestThread?>(nil)
    let isHeld = Shared(false)
    let first = Attached(to: owner) { value in
      guard value == 1 else { return }
      sender.value = TestThread {
        // A lone sender leaves nothing behind.
        var inARow = 0
        while inARow < 100 {
          owner.send(0)
          inARow = owner.hub.withInbox { $0.work.isEmpty } ? inARow + 1 : 0
          if inARow == 0 { isHeld.value = true }
        }
      }
      while !isHeld.value {}
    }
    let visitor = TestThread { owner.send(1) }
    #expect(visitor.join(atMost: .seconds(60)))
    #expect(sender.value?.join(atMost: .seconds(60)) == true)
    [slow, first].forEach { $0.cursor.cancel() }
  }

  @Test func `D3 D4: a send returns when what it has brought is delivered, beside a fast sender`() {
    for _ in 0..<rounds(10) {
      let owner = Owner<Int>(.nothing)
      let isOver = Shared(false)
      var sender: TestThread?
      let received = Shared(0)
      let receiver = Attached(to: owner) { value in
        switch value {
        case -1:
          sender = TestThread { while !isOver.value { owner.send(0) } }
          for number in 1...100 { owner.send(number) }
        case 0: work(value)
        default: received.increment()
        }
      }
      owner.send(-1)
      #expect(received.value == 100)
      isOver.value = true
      #expect(sender?.join() == true)
      receiver.cursor.cancel()
    }
  }

  @Test func `D4: when all senders and visitors have returned, everything is delivered in order`() {
    for _ in 0..<rounds(20) {
      let owner = Owner<Int>(.nothing)
      let received = Shared<[Int]>([])
      let receiver = Attached(to: owner) { value in received.change { $0.append(value) } }
      let count = 3000
      let isOver = race(
        { for number in 0..<count { owner.send(number) } },
        { for number in 0..<count { owner.send(number + count) } },
        { for _ in 0..<300 { Attached(to: owner) { _ in }.cursor.cancel() } })
      #expect(isOver)
      let values = received.value
      #expect(values.filter { $0 < count } == Array(0..<count))
      #expect(values.filter { $0 >= count } == Array(count..<2 * count))
      receiver.cursor.cancel()
    }
  }

  @Test func `D3: a lone thread that sends in receive is left by nobody, however long it goes on`()
  {
    let owner = owner
    let received = Shared(0)
    let receiver = Attached(to: owner) { value in
      received.increment()
      if value > 0 { owner.send(value - 1) }
    }
    let count = rounds(100_000)
    owner.send(count)
    #expect(received.value == count + 1)
    receiver.cursor.cancel()
  }
}
