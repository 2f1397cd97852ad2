import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct ElementsRaceTests {
  @Test(arguments: Policy.allCases)
  func `D2, D6: loops that begin while two threads send see a part of the one order, to the end`(
    _ policy: Policy
  ) async {
    for round in 0..<10 {
      let subject = ReplaySubject<Int, Never>(policy.replay)
      let order = Notes<Int>()
      let isDelivered = AsyncGate()
      let sink = subject.sink { _ in
        isDelivered.open()
      } receiveValue: {
        order.append($0)
      }
      let loops = Notes<[Int]>()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var values: [Int] = []
            for await value in subject.values { values.append(value) }
            loops.append(values)
          }
        }
        await withTaskGroup(of: Void.self) { senders in
          for sender in 0..<2 {
            senders.addTask { for value in 0..<200 { subject.send(value * 2 + sender) } }
          }
        }
        subject.send(completion: .finished)
      }
      // A loop that held the drain has passed it on to a task (Q5), which may still deliver to the sink.
      await isDelivered.wait()
      #expect(loops.all.count == 4)
      #expect(order.count == 400)
      for values in loops.all {
        let isExact = (0...order.all.count).contains { place in
          values == policy.remembered(of: Array(order.all.prefix(place)))
            + order.all.dropFirst(place)
        }
        #expect(isExact, "round \(round)")
      }
      sink.cancel()
    }
  }

  @Test func `D7: cancelling races a send, and a fetch is answered once`() async {
    for _ in 0..<rounds(300) {
      let subject = ReplaySubject<Int, Never>(.none)
      let loop = Task { () -> Int in
        var count = 0
        for await _ in subject.values { count += 1 }
        return count
      }
      let sending = Task { for value in 0..<5 { subject.send(value) } }
      let cancelling = Task { loop.cancel() }
      await sending.value
      await cancelling.value
      #expect(await loop.value <= 5)
    }
  }

  @Test func `D2: two tasks that share an iterator's place get each value once`() async {
    let subject = ReplaySubject<Int, Never>(.all)
    let place = subject.values.makeAsyncIterator()
    nonisolated(unsafe) let copy = place
    let taken = Notes<Int>()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var iterator = copy
          while let value = await iterator.next() { taken.append(value) }
        }
      }
      for value in 0..<1_000 { subject.send(value) }
      subject.send(completion: .finished)
    }
    #expect(taken.all.sorted() == Array(0..<1_000))
  }

  @Test func `O6: bounded caches let go while loops come, read and leave`() async {
    let mint = TokenMint()
    let subject = ReplaySubject<Token, Never>(.last(4))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask {
          for _ in 0..<50 {
            var iterator = subject.values.makeAsyncIterator()
            _ = await iterator.next()
            _ = await iterator.next()
          }
        }
      }
      for id in 0..<400 {
        subject.send(mint.make(id))
        if id % 8 == 0 { await Task.yield() }
      }
      subject.send(completion: .finished)
    }
    #expect(mint.alive == [396, 397, 398, 399])
  }
}
