import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)))
struct ValuesTests {
  /// Returns all values; compiles only if the loop throws the publisher's failure type, and nothing
  /// for `Never`.
  private func all<P: Publisher>(of publisher: P) async throws(P.Failure) -> [P.Output]
  where P.Output: Sendable {
    var values: [P.Output] = []
    var iterator = publisher.values.makeAsyncIterator()
    while let value = try await iterator.next() { values.append(value) }
    return values
  }

  @Test func `a publisher that cannot fail is iterated without try`() async {
    var values: [Int] = []
    for await value in (1...5).publisher.values { values.append(value) }
    #expect(values == [1, 2, 3, 4, 5])
    #expect(await all(of: Just("one")) == ["one"])
    #expect(await all(of: Empty<Int, Never>()) == [])
  }

  @Test func `D9: a failure comes after the values, is typed, and is thrown once`() async {
    let upstream = TestPublisher<Int, Broken>()
    var iterator = upstream.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
      .values.makeAsyncIterator()
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    do throws(Broken) {
      #expect(try await iterator.next() == 1)
      _ = try await iterator.next()
      Issue.record("it did not throw")
    } catch {
      #expect(error == Broken())
    }
    #expect(await (try? iterator.next()) == .some(nil))
    #expect(await (try? iterator.next()) == .some(nil))
  }

  @Test func `D9: an end that nobody waits for is kept, once`() async {
    let broken = TestPublisher<Int, Broken>()
    var failing = broken.values.makeAsyncIterator()
    broken.send(completion: .failure(Broken()))
    await #expect(throws: Broken.self) { try await failing.next() }
    #expect(await (try? failing.next()) == .some(nil))
    let finished = TestPublisher<Int, Broken>()
    var finishing = finished.values.makeAsyncIterator()
    finished.send(completion: .finished)
    #expect(await (try? finishing.next()) == .some(nil))
    #expect(finished.requests == [])
  }

  @Test func `D8: each next asks for one value, and it subscribes when the iterator is made`() async
  {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in subscription.send(7) })
    let sequence = upstream.values
    #expect(upstream.subscriptionCount == 0)
    var one = sequence.makeAsyncIterator()
    var other = sequence.makeAsyncIterator()
    #expect(upstream.subscriptionCount == 2)
    #expect(upstream.requests == [])
    #expect(await one.next() == 7)
    #expect(await one.next() == 7)
    #expect(await other.next() == 7)
    #expect(upstream.subscriptions.map(\.requests) == [[.max(1), .max(1)], [.max(1)]])
  }

  @Test func `D8: a value that nobody waits for was not asked for, and is no one's`() async {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in subscription.send(2) })
    var iterator = upstream.values.makeAsyncIterator()
    upstream.send(1)
    #expect(await iterator.next() == 2)
  }

  @Test func `what a subject sends between two calls is lost, and behind a buffer is not`() async {
    let subject = PassthroughSubject<Int, Never>()
    var lossy = subject.values.makeAsyncIterator()
    var kept = subject.buffer(size: 9, prefetch: .byRequest, whenFull: .dropOldest)
      .values.makeAsyncIterator()
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(await lossy.next() == nil)
    #expect([await kept.next(), await kept.next(), await kept.next()] == [1, 2, nil])
  }

  @Test func `D7: leaving the loop cancels, and so does dropping the iterator`() async {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in subscription.send(1) })
    for await _ in upstream.values { break }
    #expect(upstream.cancelCount == 1)
    do { _ = upstream.values.makeAsyncIterator() }
    #expect(upstream.cancelCount == 2)
    var iterator: AsyncPublisher<TestPublisher<Int, Never>>.Iterator? =
      upstream.values.makeAsyncIterator()
    let copy = iterator
    iterator = nil
    #expect(upstream.cancelCount == 2)
    withExtendedLifetime(copy) {}
  }

  @Test func `D7: a cancelled task gets nil, with the upstream cancelled at once`() async {
    let asked = Arrivals()
    let upstream = TestPublisher<Int, Never>(whenAsked: { _, _ in asked.arrive() })
    let waiting = Task {
      var iterator = upstream.values.makeAsyncIterator()
      let value = await iterator.next()
      let cancelCount = upstream.cancelCount
      return (value, cancelCount, await iterator.next())
    }
    await asked.wait()
    waiting.cancel()
    #expect(upstream.cancelCount == 1)
    upstream.send(1)
    let (value, cancelCount, later) = await waiting.value
    #expect(value == nil)
    #expect(cancelCount == 1)
    #expect(later == nil)
    #expect(upstream.requests == [.max(1)])
  }

  @Test func `D7: a task that is cancelled already asks for nothing`() async {
    let upstream = TestPublisher<Int, Broken>()
    let result = await Task {
      var iterator = upstream.values.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      return await (try? iterator.next()) == .some(nil)
    }.value
    #expect(result)
    #expect(upstream.requests == [])
    #expect(upstream.cancelCount == 1)
  }

  @Test func `a subscription that comes late is asked for all who wait already`() async {
    // It sends the subscription on command.
    struct Late: Publisher {
      typealias Output = Int
      typealias Failure = Never
      let subscriber = Shared<AnySubscriber<Int, Never>?>(nil)
      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        self.subscriber.value = AnySubscriber(subscriber)
      }
    }
    let late = Late()
    let waiting = Task {
      var iterator = late.values.makeAsyncIterator()
      return [await iterator.next(), await iterator.next(), await iterator.next()]
    }
    while late.subscriber.value == nil { await Task.yield() }
    _ = late.subscriber.value?.receive(9)
    (1...2).publisher.subscribe(late.subscriber.value ?? AnySubscriber())
    #expect(await waiting.value == [1, 2, nil])
  }

  @Test func `a second subscription is cancelled`() async {
    let upstream = TestPublisher<Int, Never>(whenAsked: { subscription, _ in subscription.send(1) })
    let other = TestPublisher<Int, Never>()
    var iterator = SubscribesTwice(upstream, other).values.makeAsyncIterator()
    #expect(await iterator.next() == 1)
    #expect(other.cancelCount == 1)
    #expect(upstream.cancelCount == 0)
  }

  @Test func `D8: a hundred thousand values one by one`() async {
    let count = rounds(100_000)
    var sum = 0
    for await value in (1...count).publisher.unspecialized.map({ $0 }).values { sum += value }
    #expect(sum == count * (count + 1) / 2)
  }
}
