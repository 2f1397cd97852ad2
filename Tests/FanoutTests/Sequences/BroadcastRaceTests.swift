import Fanout
import FanoutEngine
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Senders, loops, cancels and ends at the same time.
struct BroadcastRaceTests {
  @Test(arguments: [false, true])
  func `D2, D6: all loops see one order, which has every accepted value once`(waits: Bool) async {
    for _ in 0..<rounds(20) {
      let source = Broadcast<Int, Never>(
        replay: .all, backlog: waits ? .size(4, whenFull: .wait) : nil)
      let values = source.values
      await withTaskGroup(of: (sent: [Int], received: [Int]).self) { group in
        var first = values.makeAsyncIterator()
        for _ in 0..<3 {
          group.addTask {
            var received: [Int] = []
            for await value in values { received.append(value) }
            return ([], received)
          }
        }
        group.addTask {
          var received: [Int] = []
          while let value = await first.next() { received.append(value) }
          return ([], received)
        }
        for sender in 0..<3 {
          group.addTask {
            var sent: [Int] = []
            for index in 0..<100 {
              let value = sender * 1_000 + index
              let result = index % 7 == 0 ? source.yield(value) : await source.send(value)
              if result.isAccepted { sent.append(value) }
              if sender == 2, index == 60 { source.finish() }
            }
            return (sent, [])
          }
        }
        var sent: [Int] = []
        var received: [[Int]] = []
        for await part in group {
          sent += part.sent
          if part.sent.isEmpty { received.append(part.received) }
        }
        // A sender that had no turn before the end has an empty part too.
        let orders = Set(received.filter { !$0.isEmpty })
        #expect(orders.count == 1)
        #expect(orders.first?.sorted() == sent.sorted())
      }
    }
  }

  @Test func `a send that is cancelled while room comes is sent once, or not at all`() async {
    for _ in 0..<rounds(300) {
      let source = Broadcast<Int, Never>(backlog: .size(1, whenFull: .wait))
      var loop = source.values.makeAsyncIterator()
      await source.send(1)
      let second = Task { await source.send(2) }
      let cancel = Task { second.cancel() }
      #expect(await loop.next() == 1)
      let sent = await second.value
      await cancel.value
      source.finish()
      #expect(sent.isAccepted != sent.isCancelled)
      #expect(await loop.next() == (sent.isAccepted ? 2 : nil))
      #expect(source.waitingSenders == 0)
    }
  }

  @Test func `loops that come and go under a backlog that waits never stop a sender`() async {
    for _ in 0..<rounds(50) {
      let source = Broadcast<Int, Never>(backlog: .size(2, whenFull: .wait))
      let values = source.values
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            for _ in 0..<10 { for await _ in values.prefix(3) {} }
          }
        }
        group.addTask {
          for value in 0..<200 { await source.send(value) }
          source.finish()
        }
      }
      #expect(source.waitingSenders == 0)
      #expect(source.yield(0).isTerminated)
    }
  }

  @Test func `rounds of join, break, cancel and end leave nothing behind`() async {
    for round in 0..<rounds(200) {
      let source = Broadcast<Int, Never>(replay: .last(2))
      let values = source.values
      let staying = Task {
        var last = -1
        for await value in values { last = value }
        return last
      }
      let leaving = Task { for await _ in values.prefix(2) {} }
      let batches = Task { for await _ in values.batches(upTo: 4) {} }
      let cancelled = Task { for await _ in values.deliveries() {} }
      for value in 0..<10 {
        source.yield(value)
        if value == round % 10 { cancelled.cancel() }
      }
      source.finish()
      #expect(await staying.value == 9)
      await leaving.value
      await batches.value
      await cancelled.value
      #expect(source.core.room.state.withLock { $0.subscribers } == 0)
    }
  }
}
