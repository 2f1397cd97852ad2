import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The rules of loops, for each door.
struct LoopTableTests {
  @Test(arguments: LoopForm.allCases)
  func `Q5: a loop gets every value in order, the end once, and then nil`(_ form: LoopForm)
    async throws
  {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share()
    var loop = form.makeLoop(over: shared)
    for value in 1...100 { source.send(value) }
    for value in 1...50 { #expect(try await loop.next() == value) }
    for value in 101...200 { source.send(value) }
    source.send(completion: .finished)
    for value in 51...200 { #expect(try await loop.next() == value) }
    #expect(try await loop.next() == nil)
    #expect(try await loop.next() == nil)
  }

  @Test(arguments: LoopForm.allCases)
  func `D9, Q5: a failure is thrown once, after every value`(_ form: LoopForm) async throws {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share()
    var loop = form.makeLoop(over: shared)
    for value in 1...5 { source.send(value) }
    source.send(completion: .failure(Broken()))
    #expect(await loop.takeAll() == ([1, 2, 3, 4, 5], true))
    #expect(try await loop.next() == nil)
  }

  @Test(arguments: LoopForm.allCases)
  func `D7, Q5: a cancel of the task ends a loop that waits, and it leaves`(_ form: LoopForm)
    async
  {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share()
    let hasOne = AsyncGate()
    let loop = Task {
      var loop = form.makeLoop(over: shared)
      source.send(1)
      let first = try? await loop.next()
      hasOne.open()
      return (first, await loop.takeAll())
    }
    await hasOne.wait()
    loop.cancel()
    let (first, rest) = await loop.value
    #expect(first == 1)
    #expect(rest == ([], false))
    #expect(source.cancelCount == 1)
  }

  @Test(arguments: LoopForm.allCases)
  func `D7, Q5: a loop whose task is cancelled gets nil, also where values wait`(_ form: LoopForm)
    async
  {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(replay: .all)
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    source.send(1)
    let loop = Task {
      var loop = form.makeLoop(over: shared)
      source.send(2)
      while !Task.isCancelled { await Task.yield() }
      return await loop.takeAll()
    }
    loop.cancel()
    #expect(await loop.value == ([], false))
    keeping.cancel()
  }

  @Test(arguments: LoopForm.allCases)
  func `Q5, O2: a loop that is dropped leaves, and nothing of it is alive`(_ form: LoopForm) async {
    let source = TestPublisher<Int, Broken>()
    var share: WeakReference?
    do {
      let shared = source.share(replay: .last(2))
      share = WeakReference(shared)
      var loop = form.makeLoop(over: shared)
      for value in 1...5 { source.send(value) }
      #expect(try await loop.next() == 1)
    } catch {
      Issue.record(error)
    }
    #expect(source.cancelCount == 1)
    source.forgetSubscriptions()
    #expect(share?.isAlive == false)
  }

  @Test(arguments: LoopForm.allCases)
  func `O2: at the end a loop lets the publisher go, before it is dropped`(_ form: LoopForm) async {
    let source = TestPublisher<Int, Broken>()
    var share: WeakReference?
    var loop: TestLoop
    do {
      let shared = source.share()
      share = WeakReference(shared)
      // The form may not keep the share by itself.
      loop = form.makeLoop(over: shared)
    }
    source.send(1)
    source.send(completion: .finished)
    #expect(await loop.takeAll() == ([1], false))
    source.forgetSubscriptions()
    #expect(share?.isAlive == false)
    #expect(await loop.takeAll() == ([], false))
  }

  @Test(arguments: LoopForm.allCases, Policy.allCases)
  func `D6: a loop gets its replay, then every later value`(_ form: LoopForm, _ policy: Policy)
    async
  {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(replay: policy.replay)
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let early = [1, 2, 3, 4, 5, 7]
    for value in early { source.send(value) }
    var loop = form.makeLoop(over: shared)
    for value in [8, 9, 10] { source.send(value) }
    source.send(completion: .finished)
    #expect(await loop.takeAll() == (policy.remembered(of: early) + [8, 9, 10], false))
    keeping.cancel()
  }

  @Test(arguments: LoopForm.allCases, Policy.allCases)
  func `D10: a loop after the end gets the replay, then the end`(
    _ form: LoopForm, _ policy: Policy
  ) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(replay: policy.replay)
    let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    let early = [1, 2, 3, 4, 5, 7]
    for value in early { source.send(value) }
    source.send(completion: .failure(Broken()))
    var loop = form.makeLoop(over: shared)
    #expect(await loop.takeAll() == (policy.remembered(of: early), true))
    keeping.cancel()
  }

  @Test(arguments: LoopForm.allCases)
  func `D12: ten loops have one upstream subscription, and each gets everything`(_ form: LoopForm)
    async
  {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(replay: .all)
    let count = 1_000
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<10 {
        group.addTask {
          var loop = form.makeLoop(over: shared)
          return await loop.takeAll().values
        }
      }
      while source.subscriptionCount == 0 { await Task.yield() }
      for value in 0..<count { source.send(value) }
      source.send(completion: .finished)
      for await values in group { #expect(values == Array(0..<count)) }
    }
    #expect(source.subscriptionCount == 1)
  }
}
