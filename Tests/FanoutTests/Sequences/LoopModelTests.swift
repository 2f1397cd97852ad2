import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The rules of backlogs for each door of a loop, by random sends and turns beside a reference.
struct LoopModelTests {
  private typealias Kind = LoopReference.Kind

  private static func backlog(_ kind: Kind, _ size: Int) -> Backlog<Int, Broken> {
    switch kind {
    case .unbounded: .unbounded
    case .wait: .size(size, whenFull: .wait)
    case .oldest: .size(size, whenFull: .dropOldest)
    case .newest: .size(size, whenFull: .dropNewest)
    case .error: .size(size, whenFull: .customError { Broken() })
    case .rejoinBehind, .rejoinLatest, .rejoinLast: .size(size, whenFull: .rejoin)
    case .cost: .limit(.cost(3 * size, of: LoopReference.cost), whenFull: .dropOldest)
    case .costOrCount:
      .limit(.count(size), .cost(3 * size, of: LoopReference.cost), whenFull: .dropOldest)
    }
  }

  @Test(arguments: LoopForm.allCases, LoopReference.Kind.allCases)
  func `B1, B3, Q5: whatever is sent and taken, a loop gets what the rules say`(
    _ form: LoopForm, _ kind: LoopReference.Kind
  ) async throws {
    for seed in seeds(5) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...4, using: &chance)
      let source = TestPublisher<Int, Broken>()
      // With an observer loops take one value at a time.
      let log = Bool.random(using: &chance) ? ObserverLog() : nil
      let shared = source.share(
        replay: kind.replay, backlog: Self.backlog(kind, size), observer: log)
      let keeping = shared.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      let early = Int.random(in: 0...4, using: &chance)
      for number in 0..<early { source.send(number) }
      var loop = form.makeLoop(over: shared, hasBacklog: true)
      var reference = LoopReference(kind, size, replay: Array((0..<early).suffix(kind.replayCount)))
      var array: [Int] = []
      var sent = early
      for _ in 0..<60 {
        if Int.random(in: 0..<5, using: &chance) < 3 {
          source.send(sent)
          reference.send(sent)
          sent += 1
        } else if !array.isEmpty || reference.waiting > 0 {
          let fetches = array.isEmpty
          while array.isEmpty {
            array = reference.takeArray(upTo: form.arrayCount, ofEvents: form.isTold)
          }
          #expect(try await loop.next() == array.removeFirst(), "seed \(seed)")
          // Behind a value that it takes, the observer knows all that it has missed.
          let known = log?.accounts[2]?.missed ?? reference.missed
          #expect(!fetches || known == reference.missed, "seed \(seed)")
        }
        // With its end, which needs no request, a subscriber leaves.
        if reference.isEnding, reference.waiting == 0 { continue }
        let account = shared.status.subscribers.last
        #expect(account?.missed == reference.missed, "seed \(seed)")
        #expect(account?.waiting == reference.waiting, "seed \(seed)")
      }
      source.send(completion: .finished)
      reference.finish()
      var expected = array
      while let value = reference.takeValue() { expected.append(value) }
      let hasFailed = reference.events == [.end(hasFailed: true)]
      #expect(await loop.takeAll() == (expected, hasFailed), "seed \(seed)")
      keeping.cancel()
    }
  }

  @Test(arguments: [false, true], LoopReference.Kind.allCases)
  func `B5: whatever is sent and taken, a loop over deliveries is told of each gap`(
    joinsAlone: Bool, _ kind: LoopReference.Kind
  ) async throws {
    for seed in seeds(10) {
      var chance = SeededChance(seed: seed)
      let size = Int.random(in: 1...4, using: &chance)
      let source = TestPublisher<Int, Broken>()
      let backlog = Self.backlog(kind, size)
      // One that waits has to wait for all.
      let sharesIt = !joinsAlone || kind == .wait
      let shared = source.share(replay: kind.replay, backlog: sharesIt ? backlog : nil).values
      let keeping = shared.publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      let early = Int.random(in: 0...4, using: &chance)
      for number in 0..<early { source.send(number) }
      let joined = joinsAlone ? shared.joining(backlog: backlog) : shared
      var loop = joined.deliveries().makeAsyncIterator()
      var reference = LoopReference(kind, size, replay: Array((0..<early).suffix(kind.replayCount)))
      for number in early..<early + 60 {
        if Bool.random(using: &chance) {
          source.send(number)
          reference.send(number)
        } else if let next = reference.events.first {
          if case .end = next { break }
          let event = try await loop.next()
          #expect(event.map { .init($0) } == reference.takeEvent(), "seed \(seed)")
        }
      }
      source.send(completion: .finished)
      reference.finish()
      var received: [LoopReference.Event] = []
      do throws(Broken) {
        while let event = try await loop.next(isolation: nil) { received.append(.init(event)) }
        received.append(.end(hasFailed: false))
      } catch {
        received.append(.end(hasFailed: true))
      }
      #expect(received == reference.events, "seed \(seed)")
      keeping.cancel()
    }
  }
}
