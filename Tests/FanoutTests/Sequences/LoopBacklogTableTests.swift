import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The rules of backlogs, for each door of a loop.
struct LoopBacklogTableTests {
  static let kinds = ["oldest", "newest", "error", "rejoin"]

  static func backlog(_ kind: String, _ count: Int) -> Backlog<Int, Broken> {
    switch kind {
    case "oldest": .size(count, whenFull: .dropOldest)
    case "newest": .size(count, whenFull: .dropNewest)
    case "error": .size(count, whenFull: .customError { Broken() })
    default: .size(count, whenFull: .rejoin)
    }
  }

  @Test(arguments: LoopForm.allCases, kinds)
  func `B3, B4: a slow loop gets what the backlog of the share says`(
    _ form: LoopForm, kind: String
  ) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      replay: .sinceKeyframe { $0 % 4 == 0 }, backlog: Self.backlog(kind, 2))
    var loop = form.makeLoop(over: shared, hasBacklog: true)
    for number in 1...9 { source.send(number) }
    source.send(completion: .finished)
    let (values, hasFailed) = await loop.takeAll()
    #expect(hasFailed == (kind == "error"))
    // `.caughtUp` waits in front of them, and is no value.
    #expect(values == (["newest", "error"].contains(kind) ? [1, 2] : [8, 9]))
  }

  @Test(arguments: [LoopForm.joining, .deliveries, .joiningBatches, .deliveriesBatches], kinds)
  func `B3, B4: a loop that joined with a backlog of its own gets what that says`(
    _ form: LoopForm, kind: String
  ) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(replay: .sinceKeyframe { $0 % 4 == 0 }).values
      .joining(backlog: Self.backlog(kind, 2))
    var loop: TestLoop =
      switch form {
      case .joining: TestLoop(shared) { [$0] }
      case .joiningBatches: TestLoop(shared.batches(upTo: 3)) { $0 }
      default: form.makeLoop(over: shared)
      }
    for number in 1...9 { source.send(number) }
    source.send(completion: .finished)
    let (values, hasFailed) = await loop.takeAll()
    #expect(hasFailed == (kind == "error"))
    #expect(values == (["newest", "error"].contains(kind) ? [1, 2] : [8, 9]))
  }

  @Test(arguments: LoopForm.allCases, [1, 2, 3, 16, 100])
  func `B1, B6: of a sequence a loop takes no more than it has room for, and gets all of it`(
    _ form: LoopForm, size: Int
  ) async {
    let taken = Shared(0)
    let shared = (1...500).publisher.unspecialized.setFailureType(to: Broken.self).map {
      number -> Int in
      taken.change { $0 = number }
      return number
    }.share(backlog: .size(size, whenFull: .wait))
    var loop = form.makeLoop(over: shared, hasBacklog: true)
    var received = 0
    while let number = try? await loop.next() {
      received += 1
      #expect(number == received)
      // An array of three is out of the backlog when the first of it is here; another value may have been requested.
      #expect(taken.value <= received + size + 3)
    }
    #expect(received == 500)
  }

  @Test(arguments: LoopForm.allCases)
  func `B6: a loop that is dropped opens the gate`(_ form: LoopForm) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(backlog: .size(2, whenFull: .wait))
    let fast = TestSubscriber<Int, Broken>()
    shared.subscribe(fast)
    do {
      let loop = form.makeLoop(over: shared, hasBacklog: true)
      source.send(1)
      source.send(2)
      #expect(source.requests.reduce(.none, +) == .max(2))
      withExtendedLifetime(loop) {}
    }
    #expect(source.requests.reduce(.none, +) == .max(4))
    fast.cancel()
  }

  @Test(arguments: [false, true])
  func `B5: a loop over deliveries is told what it misses, also in arrays`(inArrays: Bool) async {
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      replay: .last(1), backlog: .size(2, whenFull: .dropOldest)
    ).values
    let keeping = shared.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    source.send(1)
    let expected: [Delivery<Int>] = [.replayed(1), .caughtUp, .missed(3), .live(5), .live(6)]
    var received: [Delivery<Int>] = []
    do {
      if inArrays {
        var loop = shared.deliveries().batches(upTo: 10).makeAsyncIterator()
        for number in 2...6 { source.send(number) }
        source.send(completion: .finished)
        while let batch = try await loop.next() { received += batch }
      } else {
        var loop = shared.deliveries().makeAsyncIterator()
        for number in 2...6 { source.send(number) }
        source.send(completion: .finished)
        while let event = try await loop.next() { received.append(event) }
      }
    } catch {
      Issue.record(error)
    }
    #expect(received == expected)
    keeping.cancel()
  }
}
