import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct H1ExactTests {
  @Test func `H1: what is stored comes first, up to the first value of the replay`() async {
    let store = NumberStore(1...7)
    let stream = Broadcast<Int, Never>(replay: .last(2))
    for number in 1...7 { stream.yield(number) }
    var loop = stream.values.joining(after: 3, from: store.history).makeAsyncIterator()
    for number in 4...7 { #expect(await loop.next() == .replayed(number)) }
    #expect(await loop.next() == .caughtUp)
    stream.yield(8)
    #expect(await loop.next() == .live(8))
    stream.finish()
    #expect(await loop.next() == nil)
    #expect(store.ranges == [HistoryRange(after: 3, before: 6)])
  }

  @Test(arguments: [2, 3, 4])
  func `H1: a store is not asked for what the replay has`(_ last: Int) async {
    let store = NumberStore(1...4)
    let stream = Broadcast<Int, Never>(replay: .last(3))
    for number in 1...4 { stream.yield(number) }
    stream.finish()
    let events = await stream.values.joining(after: last, from: store.history).all()
    #expect(events == replayed(last + 1..<5) + [.caughtUp])
    #expect(store.ranges == [])
  }

  @Test func `H1: an id between two values of the replay has its place there`() async {
    let store = NumberStore([])
    let stream = Broadcast<Int, Never>(replay: .all)
    for number in [10, 20, 30] { stream.yield(number) }
    stream.finish()
    let events = await stream.values.joining(after: 15, from: store.history).all()
    #expect(events == replayed([20, 30]) + [.caughtUp])
    #expect(store.ranges == [])
  }

  @Test func `H1: a newcomer without an id gets everything`() async {
    let store = NumberStore(1...5)
    let stream = Broadcast<Int, Never>(replay: .latest)
    stream.yield(5)
    stream.finish()
    let events = await stream.values.joining(after: nil, from: store.history).all()
    #expect(events == replayed(1...5) + [.caughtUp])
    #expect(store.ranges == [HistoryRange(before: 5)])
  }

  @Test(arguments: [Replay<Int>.none, .latest, .all])
  func `H1: a newcomer without an id gets the live values alone if it says so`(
    _ replay: Replay<Int>
  ) async {
    let store = NumberStore(1...5)
    let stream = Broadcast<Int, Never>(replay: replay)
    for number in 1...5 { stream.yield(number) }
    var loop = stream.values.joining(after: nil, from: store.history, ifNil: .live)
      .makeAsyncIterator()
    for number in 6...7 { stream.yield(number) }
    stream.finish()
    #expect(await loop.next() == .caughtUp)
    for number in 6...7 { #expect(await loop.next() == .live(number)) }
    #expect(await loop.next() == nil)
    #expect(store.ranges == [])
    // One with an id is as before.
    let events = await stream.values.joining(after: 4, from: store.history, ifNil: .live).all()
    #expect(events.first == .replayed(5))
  }

  @Test func `H1, H2: the gaps of a loop that joined live come from the store, from its first on`()
    async
  {
    let store = NumberStore(1...5)
    let stream = Broadcast<Int, Never>(backlog: .size(2, whenFull: .dropOldest))
    var loop = stream.values.joining(after: nil, from: store.history, ifNil: .live)
      .makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    // Without an id there is no place behind which the store could be asked.
    for number in 6...9 {
      store.commit(number)
      stream.yield(number)
    }
    #expect(await loop.next() == .missed(2))
    for number in 8...9 { #expect(await loop.next() == .live(number)) }
    for number in 10...13 {
      store.commit(number)
      stream.yield(number)
    }
    for number in 10...11 { #expect(await loop.next() == .replayed(number)) }
    for number in 12...13 { #expect(await loop.next() == .live(number)) }
    stream.finish()
    #expect(await loop.next() == nil)
    #expect(store.ranges == [HistoryRange(after: 9, before: 12)])
  }

  @Test func `H1: what is stored and sent during a read comes once`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 1, from: store.history))
    let read = await store.read(0)
    #expect(read.range == HistoryRange(after: 1))
    read.rows.yield(2)
    #expect(await loop.first(1) == replayed([2]))
    for number in 3...5 { stream.yield(number) }
    stream.finish()
    // The store has had 3 and 4 when the read began, and not yet 5.
    read.finish([3, 4])
    #expect(await loop.all() == replayed([2]) + [.caughtUp] + live(3...5))
  }

  @Test func `H1: a value that the client has had before it was live does not come again`() async {
    let store = NumberStore(1...3)
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 3, from: store.history))
    for number in 2...5 { stream.yield(number) }
    stream.finish()
    #expect(await loop.all() == [.caughtUp] + live(4...5))
  }

  @Test func `H1: what the store gives outside of the range is dropped`() async {
    let stream = Broadcast<Int, Never>(replay: .last(2))
    for number in 1...6 { stream.yield(number) }
    stream.finish()
    let history = NumberHistory(by: \.self) { _ in Array(1...6) }
    let events = await stream.values.joining(after: 2, from: history).all()
    #expect(events == replayed(3...6) + [.caughtUp])
  }

  @Test func `H1: a cache of the newest value of each key leaves nothing out`() async {
    let store = NumberStore(1...6)
    let stream = Broadcast<Int, Never>(replay: .latest(by: { $0 % 2 }))
    for number in 1...6 { stream.yield(number) }
    stream.finish()
    let events = await stream.values.joining(after: 1, from: store.history).all()
    #expect(events == replayed(2...6) + [.caughtUp])
  }

  @Test(
    arguments: [
      Backlog<Int, Never>.WhenFull.dropOldest, .dropNewest, .rejoin,
    ].indices)
  func `H1: a laggard goes back to the store`(_ index: Int) async {
    let policies: [Backlog<Int, Never>.WhenFull] = [.dropOldest, .dropNewest, .rejoin]
    let store = NumberStore()
    let stream = Broadcast<Int, Never>(replay: .last(2))
    let spliced = stream.values.joining(
      after: nil, from: store.history, backlog: .size(3, whenFull: policies[index]))
    var loop = spliced.makeAsyncIterator()
    func send(_ numbers: ClosedRange<Int>) {
      for number in numbers {
        store.commit(number)
        stream.yield(number)
      }
    }
    send(1...1)
    var values: [Int] = []
    while values.last != 1 { if let value = await loop.next()?.value { values.append(value) } }
    send(2...20)
    while values.last != 20 {
      let event = await loop.next()
      if case .missed = event { Issue.record("missed") }
      if let value = event?.value { values.append(value) }
    }
    send(21...40)
    stream.finish()
    while let event = await loop.next() {
      if case .missed = event { Issue.record("missed") }
      if let value = event.value { values.append(value) }
    }
    #expect(values == Array(1...40))
  }

  @Test func `H1: a loop that has had values of the replay never goes back`() async {
    let stream = Broadcast<Int, Never>(replay: .last(3))
    for number in 1...3 { stream.yield(number) }
    let history = NumberHistory(by: \.self) { range in
      if range.after == 1 { throw HistoryGap(resumingAfter: 0) }
      return (1...3).filter { range.contains($0) }
    }
    let spliced = stream.values.joining(
      after: 0, from: history, backlog: .size(1, whenFull: .rejoin))
    var loop = spliced.makeAsyncIterator()
    var events = [await loop.next()]
    // A new start replaces 2 and 3, which the loop has not had.
    for number in 4...6 { stream.yield(number) }
    stream.finish()
    while let event = await loop.next() { events.append(event) }
    #expect(events.first == .replayed(1))
    #expect(events.contains(.missed(nil)))
    #expect(events.compactMap { $0?.value } == [1, 4, 5, 6])
  }

  @Test func `H1: values alone, of a publisher whose values can fail`() async throws {
    let store = NumberStore(1...3)
    let source = ReplaySubject<Int, Broken>(.last(1))
    source.send(3)
    source.send(completion: .failure(Broken()))
    var values: [Int] = []
    await #expect(throws: Broken.self) {
      for try await value in source.joining(after: 1, from: store.history).values {
        values.append(value)
      }
    }
    #expect(values == [2, 3])
  }

  @Test func `H1: an end during the read comes behind what is stored`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 0, from: store.history))
    let read = await store.read(0)
    stream.finish()
    read.finish([1, 2])
    #expect(await loop.all() == replayed([1, 2]) + [.caughtUp])
  }

  @Test func `H1, L9: a connection that begins anew gives nothing twice`() async {
    let store = NumberStore()
    let source = ReplaySubject<Int, Never>(.last(3))
    let shared = source.share()
    var loop = shared.joining(after: 0, from: store.history).makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    for number in 1...3 { source.send(number) }
    shared.reconnect()
    source.send(4)
    source.send(completion: .finished)
    for number in 1...4 { #expect(await loop.next() == .live(number)) }
    #expect(await loop.next() == nil)
  }

  @Test func `H1, B2: where the share waits for the slowest, the loop is one of them`() async {
    let store = NumberStore(1...20)
    let shared = (11...20).publisher.share(backlog: .size(2, whenFull: .wait))
    var values: [Int] = []
    for await value in shared.joining(after: 5, from: store.history).values {
      values.append(value)
    }
    #expect(values == Array(6...20))
  }
}
