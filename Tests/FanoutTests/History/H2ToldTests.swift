import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

struct H2ToldTests {
  /// Takes events until a value comes.
  private func take(_ loop: inout SplicedNumbers.Iterator, through id: Int) async -> [Delivery<Int>]
  {
    var events: [Delivery<Int>] = []
    while let event = await loop.next() {
      events.append(event)
      if event.value == id { break }
    }
    return events
  }

  @Test func `H2: a store that fails is told, and the rest comes`() async {
    let store = NumberStore(1...5)
    store.state.change { $0.isFailing = true }
    let stream = Broadcast<Int, Never>(replay: .last(1))
    stream.yield(5)
    let loop = NumberLoop(stream.values.joining(after: 1, from: store.history))
    stream.yield(6)
    stream.finish()
    #expect(await loop.all() == [.missed(nil), .replayed(5), .caughtUp, .live(6)])
  }

  @Test func `H2: a store that fails halfway is told where it fails`() async {
    let store = HandStore()
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 1, from: store.history))
    let read = await store.read(0)
    read.rows.yield(2)
    read.rows.finish(throwing: Broken())
    #expect(await loop.first(3) == [.replayed(2), .missed(nil), .caughtUp])
    stream.yield(9)
    stream.finish()
    #expect(await loop.all().last == .live(9))
  }

  @Test func `H1, H2: a store that resumes in front of what a loop has had gives nothing twice`()
    async
  {
    let isReset = Shared(false)
    let history = NumberHistory(by: \.self) { range in
      if isReset.value, range.after ?? 0 > 7 { throw HistoryGap(resumingAfter: 7) }
      return (7...20).filter { range.contains($0) && (isReset.value || $0 < 10) }
    }
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: 9, from: history, backlog: .size(1, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    for number in 10...11 {
      stream.yield(number)
      #expect(await loop.next() == .live(number))
    }
    isReset.change { $0 = true }
    for number in 12...14 { stream.yield(number) }
    stream.finish()
    var ids: [Int] = []
    while let event = await loop.next() { if let value = event.value { ids.append(value) } }
    #expect(ids.allSatisfy { $0 > 11 }, "\(ids)")
  }

  @Test func `H2: a store that is trimmed is told, and gives what it has`() async {
    let store = NumberStore(1...8)
    store.trim(through: 4)
    let stream = Broadcast<Int, Never>(replay: .last(1))
    stream.yield(8)
    stream.finish()
    let events = await stream.values.joining(after: 2, from: store.history).all()
    #expect(events == [.missed(nil)] + replayed(5...8) + [.caughtUp])
    #expect(store.ranges == [HistoryRange(after: 2, before: 8), HistoryRange(after: 4, before: 8)])
  }

  @Test func `H2: a store that says for ever that it has forgotten is not asked for ever`() async {
    let history = NumberHistory(by: \.self) { _ -> [Int] in throw HistoryGap(resumingAfter: 4) }
    let stream = Broadcast<Int, Never>(replay: .last(1))
    stream.yield(8)
    stream.finish()
    let events = await stream.values.joining(after: 2, from: history).all()
    #expect(events == [.missed(nil), .missed(nil), .replayed(8), .caughtUp])
  }

  @Test(arguments: [false, true])
  func `H2: an id that the store does not know is told, and smaller ids come`(_ resumes: Bool) async
  {
    let history = NumberHistory(by: \.self) { range in
      guard let after = range.after, after <= 3 else {
        throw resumes ? HistoryGap(resumingAfter: 0) : HistoryGap<Int>()
      }
      return (1...3).filter { range.contains($0) }
    }
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 100, from: history))
    _ = await loop.first(resumes ? 5 : 2)
    stream.yield(4)
    stream.finish()
    let stored = resumes ? replayed(1...3) : []
    #expect(await loop.all() == [.missed(nil)] + stored + [.caughtUp, .live(4)])
  }

  @Test func `H2: a store is asked for an id that is behind the whole stream`() async {
    let history = NumberHistory(by: \.self) { _ -> [Int] in throw HistoryGap<Int>() }
    let stream = Broadcast<Int, Never>()
    let loop = NumberLoop(stream.values.joining(after: 100, from: history))
    stream.yield(1)
    stream.yield(2)
    stream.finish()
    #expect(await loop.all() == [.missed(nil), .caughtUp] + live(1...2))
  }

  @Test func `H2: a loop whose id the store does not know never gets the whole store`() async {
    let history = NumberHistory(by: \.self) { range in
      if range.after == 100 { throw HistoryGap<Int>() }
      return (1...6).filter { range.contains($0) }
    }
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: 100, from: history, backlog: .size(1, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    var events = [await loop.next(), await loop.next()]
    for number in 4...6 { stream.yield(number) }
    stream.finish()
    while let event = await loop.next() { events.append(event) }
    #expect(events == [.missed(nil), .caughtUp, .missed(2), .live(6)])
  }

  @Test(arguments: [false, true])
  func `H2: what a laggard lost and the store does not have is told with its number`(
    _ isFailing: Bool
  ) async {
    let store = NumberStore()
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: nil, from: store.history, backlog: .size(2, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    stream.yield(1)
    #expect(await loop.next() == .live(1))
    for number in 2...9 { stream.yield(number) }
    // Of 2 to 7, which the backlog has dropped, the store has 6 and 7, and says nothing of the others.
    for number in 6...9 { store.commit(number) }
    store.state.change { $0.isFailing = isFailing }
    let events = await take(&loop, through: 8)
    #expect(events == (isFailing ? [.missed(6)] : replayed(6...7) + [.missed(4)]) + [.live(8)])
    #expect(await loop.next() == .live(9))
  }

  @Test func `H2: what is lost in front of the end is told`() async {
    let store = NumberStore()
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: nil, from: store.history, backlog: .size(1, whenFull: .dropNewest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    stream.yield(1)
    #expect(await loop.next() == .live(1))
    for number in 2...5 { stream.yield(number) }
    store.commit(4)
    stream.finish()
    var events: [Delivery<Int>] = []
    while let event = await loop.next() { events.append(event) }
    #expect(events == [.live(2), .replayed(4), .missed(2)])
  }

  @Test func `H2: what waits is not skipped, though the store has forgotten it`() async {
    let stream = Broadcast<Int, Never>()
    let history = NumberHistory(by: \.self) { _ -> [Int] in
      for number in 1...3 { stream.yield(number) }
      stream.finish()
      throw HistoryGap(resumingAfter: 2)
    }
    let events = await stream.values.joining(after: 0, from: history).all()
    #expect(events == [.missed(nil), .caughtUp] + live(1...3))
  }

  @Test func `H2: what lies in front of a gap of unknown number is told once`() async {
    let stream = Broadcast<Int, Never>()
    let history = NumberHistory(by: \.self) { range in
      if range.after == 1 { throw HistoryGap(resumingAfter: 3) }
      return (4...4).filter { range.contains($0) }
    }
    let spliced = stream.values.joining(
      after: 0, from: history, backlog: .size(2, whenFull: .dropOldest))
    var loop = spliced.makeAsyncIterator()
    stream.yield(1)
    var events = [await loop.next(), await loop.next()]
    for number in 2...6 { stream.yield(number) }
    stream.finish()
    while let event = await loop.next() { events.append(event) }
    #expect(events == [.caughtUp, .live(1), .missed(nil), .replayed(4)] + live(5...6))
  }

  @Test(arguments: [[8, 9, 10], []])
  func `H2: what a laggard loses behind a gap of unknown number is told again`(
    _ missing: [Int]
  ) async {
    let stream = Broadcast<Int, Never>()
    let stored = Shared([5, 6, 7])
    let history = NumberHistory(by: \.self) { range in
      if range.after == 1 { throw HistoryGap(resumingAfter: 4) }
      return stored.value.filter { range.contains($0) }
    }
    let spliced = stream.values.joining(
      after: 0, from: history, backlog: .size(2, whenFull: .rejoin))
    var loop = spliced.makeAsyncIterator()
    stream.yield(1)
    var events = [await loop.next(), await loop.next()]
    // The store gives three of these, or of those that come later: the loop cannot tell.
    for number in missing.isEmpty ? 2...4 : 2...7 { stream.yield(number) }
    events.append(await loop.next())
    for number in missing.isEmpty ? 5...7 : 8...10 { stream.yield(number) }
    stream.finish()
    while let event = await loop.next() { events.append(event) }
    let all = [.caughtUp, .live(1), .missed(nil)] + replayed(5...7) + [.missed(nil)]
    #expect(events == all)
  }

  @Test func `H2: what is lost behind a gap is counted if the store gives nothing more`() async {
    let stream = Broadcast<Int, Never>()
    let history = NumberHistory(by: \.self) { range -> [Int] in
      if range.after == 1 { throw HistoryGap(resumingAfter: 4) }
      return []
    }
    let spliced = stream.values.joining(
      after: 0, from: history, backlog: .size(2, whenFull: .rejoin))
    var loop = spliced.makeAsyncIterator()
    stream.yield(1)
    var events = [await loop.next(), await loop.next()]
    for number in 2...4 { stream.yield(number) }
    events.append(await loop.next())
    for number in 5...7 { stream.yield(number) }
    stream.finish()
    while let event = await loop.next() { events.append(event) }
    #expect(events == [.caughtUp, .live(1), .missed(nil), .missed(3)])
  }

  @Test func `H2: a value that is stored and not sent hides a loss until it is sent`() async {
    let store = NumberStore()
    let stream = Broadcast<Int, Never>()
    let spliced = stream.values.joining(
      after: 0, from: store.history, backlog: .size(1, whenFull: .dropNewest))
    var loop = spliced.makeAsyncIterator()
    #expect(await loop.next() == .caughtUp)
    for number in 1...2 { stream.yield(number) }
    store.commit(3)
    #expect(await loop.next() == .live(1))
    #expect(await loop.next() == .replayed(3))
    for number in 3...4 { stream.yield(number) }
    stream.finish()
    var events: [Delivery<Int>] = []
    while let event = await loop.next() { events.append(event) }
    #expect(events == [.missed(2)])
  }
}
