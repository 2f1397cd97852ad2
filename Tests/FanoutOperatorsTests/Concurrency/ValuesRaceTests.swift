import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ValuesRaceTests {
  @Test @MainActor func `copies of an iterator wait at the same time, each for a value or nil`()
    async
  {
    let asked = Arrivals()
    let upstream = TestPublisher<Int, Broken>(whenAsked: { _, _ in asked.arrive() })
    let iterator = upstream.values.makeAsyncIterator()
    let tasks = (0..<8).map { _ in
      Task { @MainActor () -> String in
        var copy = iterator
        do throws(Broken) {
          return try await copy.next(isolation: #isolation).map { "\($0)" } ?? "nil"
        } catch {
          return "thrown"
        }
      }
    }
    await asked.wait(for: 8)
    #expect(upstream.requests == Array(repeating: .max(1), count: 8))
    let feed = upstream.subscriptions[0]
    let sent = race((1...3).map { number in { _ = feed.send(number) } })
    #expect(sent)
    upstream.send(completion: .failure(Broken()))
    var results: [String] = []
    for task in tasks { results.append(await task.value) }
    // The failure is thrown once; who waited behind that one learns that there is no more.
    #expect(results.sorted() == ["1", "2", "3", "nil", "nil", "nil", "nil", "thrown"])
  }

  @Test(arguments: [true, false])
  func `D7: a value, an end and a cancel at the same time answer a waiting call once`(
    ends: Bool
  ) async {
    for round in 0..<rounds(500) {
      let asked = Arrivals()
      let upstream = TestPublisher<Int, Broken>(
        ignoresCancel: true, whenAsked: { _, _ in asked.arrive() })
      let waiting = Task {
        var iterator = upstream.values.makeAsyncIterator()
        return await (try? iterator.next()) ?? -1
      }
      await asked.wait()
      let feed = upstream.subscriptions[0]
      let raced = race(
        { waiting.cancel() }, { feed.send(round) },
        { if ends { feed.send(completion: .failure(Broken())) } })
      #expect(raced)
      #expect([round, -1].contains(await waiting.value))
      #expect(upstream.cancelCount <= 1)
    }
  }

  @Test func `D11: values that come and waiters that go may use the same publisher`() async {
    // The next value is sent from the `deinit` of a value.
    let subject = PassthroughSubject<Token, Never>()
    var iterator = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
      .values.makeAsyncIterator()
    subject.send(Token(1) { subject.send(Token(2)) })
    var first = await iterator.next()
    #expect(first?.id == 1)
    first = nil
    #expect(await iterator.next()?.id == 2)
  }

  @Test func `O2: an iterator lets go of everything at a cancel, at the end, and with itself`()
    async
  {
    for ending in ["drop", "cancel", "end"] {
      let tracker = LifetimeTracker()
      let asked = Arrivals()
      let upstream = TestPublisher<Int, Broken>(whenAsked: { _, _ in asked.arrive() })
      var iterator: AsyncPublisher<TestPublisher<Int, Broken>>.Iterator?
      if ending == "drop" {
        iterator = upstream.values.makeAsyncIterator()
        tracker.track(upstream.subscriptions[0], "upstream")
        upstream.forgetSubscriptions()
        #expect(tracker.survivors().map(\.name) == ["upstream"])
        iterator = nil
      } else {
        let waiting = Task {
          var iterator = upstream.values.makeAsyncIterator()
          return await (try? iterator.next()) == .some(nil)
        }
        await asked.wait()
        tracker.track(upstream.subscriptions[0], "upstream")
        if ending == "cancel" {
          waiting.cancel()
        } else {
          upstream.send(completion: .finished)
        }
        #expect(await waiting.value)
        upstream.forgetSubscriptions()
      }
      withExtendedLifetime(iterator) {}
      #expect(tracker.survivors() == [])
    }
  }

  @Test func `O5: a value that was handed over is not kept`() async {
    let subject = CurrentValueSubject<Token?, Never>(Token())
    var iterator = subject.values.makeAsyncIterator()
    weak let token = subject.value
    do {
      let received = await iterator.next()
      #expect(received != nil)
    }
    subject.send(nil)
    let isGone = token == nil
    #expect(isGone)
    let last = await iterator.next()
    #expect(last != nil)
  }
}
