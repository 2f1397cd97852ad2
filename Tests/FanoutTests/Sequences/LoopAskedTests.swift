import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// What a loop has asked for does not wait any more, so that no limit drops it, also if the loop has yet to run.
struct LoopAskedTests {
  enum Terms: CaseIterable {
    case oldest, newest, error, cost, tooMuch, conflate

    var backlog: Backlog<Int, Broken> {
      switch self {
      case .oldest: .size(1, whenFull: .dropOldest)
      case .newest: .size(1, whenFull: .dropNewest)
      case .error: .size(1, whenFull: .customError { Broken() })
      case .cost: .limit(.cost(1) { _ in 1 }, whenFull: .dropOldest)
      case .tooMuch: .limit(.cost(5) { $0 == 1 ? 6 : 3 }, whenFull: .dropOldest)
      case .conflate: .size(1, whenFull: .conflate { _, new in new })
      }
    }
  }

  @Test(arguments: LoopForm.allCases, Terms.allCases)
  func `B3: a value that a waiting loop has asked for is not dropped`(
    _ form: LoopForm, _ terms: Terms
  ) {
    let executor = HandRunExecutor()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(backlog: terms.backlog)
    let received = Shared<[Int]>([])
    let task = Task(executorPreference: executor) {
      var loop = form.makeLoop(over: shared, hasBacklog: true)
      while let value = try? await loop.next() { received.change { $0.append(value) } }
    }
    executor.runAll()
    for number in 1...4 { source.send(number) }
    executor.runAll()
    let keepsOldest = terms == .newest || terms == .error
    #expect(received.value == (keepsOldest ? [1, 2] : [1, 4]))
    task.cancel()
    executor.runAll()
  }

  @Test(arguments: [Terms.oldest, .cost], [LoopForm.joining, .joiningBatches])
  func
    `B3: nor is it if the loop joins while a subscriber is called, and the rest stays within the limit`(
      _ terms: Terms, _ form: LoopForm
    )
  {
    let executor = HandRunExecutor()
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(replay: .last(2), backlog: terms.backlog)
    let received = Shared<[Int]>([])
    let task = Shared<Task<Void, Never>?>(nil)
    let sink = shared.sink(receiveCompletion: { _ in }) { value in
      guard value == 1 else { return }
      shared.clearReplay()
      task.value = Task(executorPreference: executor) {
        var loop = form.makeLoop(over: shared.values.joining(.last(1)))
        while let value = try? await loop.next() { received.change { $0.append(value) } }
      }
      executor.runAll()
      for number in 2...4 { source.send(number) }
    }
    source.send(1)
    #expect(shared.status.subscribers.last?.waiting == 1)
    executor.runAll()
    #expect(received.value == [2, 4])
    task.value?.cancel()
    executor.runAll()
    sink.cancel()
  }

  @Test func `D9, Q5: several calls that wait while a loop joins get all values`() {
    let executor = HandRunExecutor()
    let source = TestPublisher<Int, Never>()
    let shared = source.share(replay: .sinceKeyframe { _ in false })
    let loops = Shared<[SharedSequence<Int, Never>.AsyncIterator]>([])
    let received = Shared<[Int?]>([])
    let sink = shared.sink { value in
      guard value == 1 else { return }
      let backlog = Backlog<Int, Never>.size(4, whenFull: .dropNewest)
      let made = shared.values.joining(.last(1), backlog: backlog).makeAsyncIterator()
      loops.change { $0.append(made) }
      for _ in 0..<4 {
        Task(executorPreference: executor) {
          var copy = loops.value[0]
          let value = await copy.next()
          received.change { $0.append(value) }
        }
      }
      executor.runAll()
      for number in 2...4 { source.send(number) }
      source.send(completion: .finished)
    }
    source.send(1)
    executor.runAll()
    #expect(received.value == [1, 2, 3, 4])
    loops.value = []
    sink.cancel()
  }
}
