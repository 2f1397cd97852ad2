import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Loops over arrays of what waits.
struct BatchesTests {
  @Test(arguments: [1, 2, 31, 32, 33, 64, 255, 256, 257, 1_000, 5_000])
  func `Q5: an array has what waits, and at most as many values as it may`(count: Int) async {
    let source = Broadcast<Int, Never>()
    var loop = source.values.batches(upTo: count).makeAsyncIterator()
    for value in 0..<1_000 { source.yield(value) }
    var values: [Int] = []
    while values.count < 1_000, let batch = await loop.next() {
      #expect(batch.count == min(count, 1_000 - values.count))
      values += batch
    }
    #expect(values == Array(0..<1_000))
  }

  @Test func `Q5: loops over arrays of several sizes and over single values each get all`() async {
    let source = Broadcast<Int, Never>()
    let values = source.values
    var single = values.makeAsyncIterator()
    var others = [3, 40, 300].map { values.batches(upTo: $0).makeAsyncIterator() }
    for value in 0..<1_000 { source.yield(value) }
    source.finish()
    for index in others.indices {
      var got: [Int] = []
      while let batch = await others[index].next() { got += batch }
      #expect(got == Array(0..<1_000))
    }
    for value in 0..<1_000 { #expect(await single.next() == value) }
    #expect(await single.next() == nil)
  }

  @Test(arguments: [1, 7, 64, 100, 400])
  func `O6: a value that every loop has taken in an array is released with the arrays`(
    count: Int
  ) async {
    let mint = TokenMint()
    let source = Broadcast<Token, Never>()
    var fast = source.values.batches(upTo: 1_000).makeAsyncIterator()
    var slow = source.values.batches(upTo: count).makeAsyncIterator()
    for id in 1...400 { source.yield(mint.make(id)) }
    #expect(await fast.next()?.count == 400)
    var taken = 0
    while taken < 400 {
      taken += await slow.next()?.count ?? 0
      #expect(mint.alive.sorted() == Array(taken + 1..<401))
    }
    source.finish()
    #expect(await fast.next() == nil)
  }

  @Test func `Q5: a loop that is fast gets arrays of one value`() async {
    let source = Broadcast<Int, Never>()
    var loop = source.values.batches(upTo: 10).makeAsyncIterator()
    for value in 0..<5 {
      source.yield(value)
      #expect(await loop.next() == [value])
    }
  }

  @Test func `D9: the end and a failure come behind the last array`() async throws {
    let source = Broadcast<Int, Broken>()
    var loop = source.values.batches(upTo: 10).makeAsyncIterator()
    for value in 0..<3 { source.yield(value) }
    source.fail(Broken())
    #expect(try await loop.next() == [0, 1, 2])
    var thrown: Broken?
    do { _ = try await loop.next() } catch { thrown = error }
    #expect(thrown == Broken())
    #expect(try await loop.next() == nil)
  }

  @Test func `Q5: what is waited for comes with what follows it`() async {
    let source = Broadcast<Int, Never>()
    let count = 2_000
    let batches = source.values.batches(upTo: 64)
    var iterator = batches.makeAsyncIterator()
    let loop = Task {
      var values: [Int] = []
      while let batch = await iterator.next() {
        #expect(!batch.isEmpty && batch.count <= 64)
        values += batch
      }
      return values
    }
    for value in 0..<count {
      source.yield(value)
      if value % 100 == 0 { await Task.yield() }
    }
    source.finish()
    #expect(await loop.value == Array(0..<count))
  }

  @Test func `D6: the replay comes in arrays too, in front of live values`() async {
    let source = Broadcast<Int, Never>(replay: .all)
    for value in 0..<100 { source.yield(value) }
    var loop = source.values.batches(upTo: 64).makeAsyncIterator()
    for value in 100..<120 { source.yield(value) }
    source.finish()
    var values: [Int] = []
    while let batch = await loop.next() { values += batch }
    #expect(values == Array(0..<120))
  }

  @Test func `O6: the values of an array are released with it, and those that wait with the loop`()
    async
  {
    let mint = TokenMint()
    let source = Broadcast<Token, Never>()
    do {
      var loop = source.values.batches(upTo: 2).makeAsyncIterator()
      for id in 1...5 { source.yield(mint.make(id)) }
      #expect(await loop.next()?.map(\.id) == [1, 2])
      #expect(mint.alive == [3, 4, 5])
    }
    #expect(mint.alive == [])
  }

  @Test func `O2: what waits is released by a cancel, and the source stays`() async {
    let mint = TokenMint()
    let source = Broadcast<Token, Never>()
    let iterator = source.values.batches(upTo: 2).makeAsyncIterator()
    for id in 1...5 { source.yield(mint.make(id)) }
    let loop = Task {
      var iterator = iterator
      while !Task.isCancelled { await Task.yield() }
      return await iterator.next() == nil
    }
    loop.cancel()
    #expect(await loop.value)
    #expect(mint.alive == [])
    #expect(source.yield(mint.make(6)).isAccepted)
  }

  @Test func `D7: a cancel while an array's end is known gives nil`() async {
    let source = Broadcast<Int, Broken>()
    var loop = source.values.batches(upTo: 10).makeAsyncIterator()
    source.yield(1)
    source.fail(Broken())
    let task = Task {
      let first = try? await loop.next()
      withUnsafeCurrentTask { $0?.cancel() }
      return (first, try await loop.next() == nil)
    }
    let result = try? await task.value
    #expect(result?.0 == [1])
    #expect(result?.1 == true)
  }

  @Test func `B6: what an array holds does not wait, so others are requested meanwhile`() async {
    let source = TestPublisher<Int, Never>()
    let shared = source.share(backlog: .size(4, whenFull: .wait)).values
    var loop = shared.batches(upTo: 10).makeAsyncIterator()
    #expect(source.requests == [.max(4)])
    for number in 1...4 { source.send(number) }
    #expect(await loop.next() == [1, 2, 3, 4])
    #expect(source.requests.reduce(.none, +) == .max(8))
  }
}
