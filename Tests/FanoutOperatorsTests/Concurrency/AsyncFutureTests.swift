import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30)))
struct AsyncFutureTests {
  @Test func `its closure runs once, and everybody gets the value`() async {
    let runs = Shared(0)
    let future = Future {
      runs.increment()
      await Task.yield()
      return 42
    }
    async let other = future.value
    #expect(await future.value == 42)
    #expect(await other == 42)
    var values: [Int] = []
    for await value in future.values { values.append(value) }
    #expect(values == [42])
    #expect(runs.value == 1)
  }

  @Test func `what the closure throws is the failure, with its type`() async {
    let future = Future { () throws(Broken) -> Int in throw Broken() }
    do throws(Broken) {
      _ = try await future.value
      Issue.record("it did not throw")
    } catch {
      #expect(error == Broken())
    }
  }

  @Test func `value works for a future with a promise, before it is called and after`() async {
    let promised = Shared<Future<Int, Never>.Promise?>(nil)
    let future = Future<Int, Never> { promised.value = $0 }
    async let early = future.value
    promised.value?(.success(7))
    #expect(await early == 7)
    #expect(await future.value == 7)
  }

  @Test func `a subscriber that cancels does not stop the task`() async {
    let (held, cancelled) = (Arrivals(), Arrivals())
    let future = Future {
      await withTaskCancellationHandler {
        await held.wait()
      } onCancel: {
        cancelled.arrive()
      }
      return 1
    }
    let subscriber = TestSubscriber<Int, Never>()
    future.subscribe(subscriber)
    subscriber.cancel()
    let waiting = Task { await future.value }
    waiting.cancel()
    held.arrive()
    // A task that waits for the value continues to wait, cancelled or not.
    #expect(await waiting.value == 1)
    #expect(cancelled.count == 0)
  }

  @Test func `a cancelled task waits no longer, if the failure can say so`() async throws {
    for _ in 1...100 {
      let promised = Shared<Future<Int, any Error>.Promise?>(nil)
      let future = Future<Int, any Error> { promised.value = $0 }
      // Cancelled before it waits, or while it does.
      let waiting = Task { try await future.value }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      promised.value?(.success(1))
      #expect(try await future.value == 1)
    }
  }

  @Test func `the same if the failure is a cancellation and nothing else`() async {
    let promised = Shared<Future<Int, CancellationError>.Promise?>(nil)
    let future = Future<Int, CancellationError> { promised.value = $0 }
    let waiting = Task { try await future.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    promised.value?(.success(1))
  }

  @Test func `a cancelled task gets a value, or a failure, that is there already`() async throws {
    let succeeded = Future<Int, any Error> { $0(.success(7)) }
    let failed = Future<Int, any Error> { $0(.failure(Broken())) }
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await #expect(throws: Broken.self) { try await failed.value }
      return try await succeeded.value
    }
    #expect(try await waiting.value == 7)
  }

  @Test func `O2: a task that was cancelled retains the future no more`() async {
    let promised = Shared<Future<Int, any Error>.Promise?>(nil)
    weak var weakFuture: Future<Int, any Error>?
    do {
      let future = Future<Int, any Error> { promised.value = $0 }
      weakFuture = future
      let waiting = Task { [future] in try await future.value }
      waiting.cancel()
      _ = await waiting.result
    }
    promised.value = nil
    let isGone = weakFuture == nil
    #expect(isGone)
  }

  @Test func `O2: the task is cancelled when the future and all its subscribers are gone`() async {
    let (cancelled, gone) = (Arrivals(), Arrivals())
    weak var weakFuture: Future<Int, Never>?
    let subscriber = TestSubscriber<Int, Never>()
    do {
      let future = Future { [token = Token(whenGone: { gone.arrive() })] in
        let never = Arrivals()
        await withTaskCancellationHandler {
          await never.wait()
        } onCancel: {
          cancelled.arrive()
          never.arrive()
        }
        return withExtendedLifetime(token) { 1 }
      }
      weakFuture = future
      future.subscribe(subscriber)
    }
    // The subscriber keeps it.
    let isKept = weakFuture != nil
    #expect(isKept)
    #expect(cancelled.count == 0)
    subscriber.cancel()
    let isGone = weakFuture == nil
    #expect(isGone)
    await cancelled.wait()
    await gone.wait()
    #expect(subscriber.values == [])
  }

  @Test func `it lets go of its closure when that has returned`() async {
    let gone = Arrivals()
    let future = Future { [token = Token(whenGone: { gone.arrive() })] in
      withExtendedLifetime(token) { 1 }
    }
    await gone.wait()
    #expect(await future.value == 1)
  }
}
