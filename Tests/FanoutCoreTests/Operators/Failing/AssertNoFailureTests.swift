import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct AssertNoFailureTests {
  @Test func `D8: values, demand, the finish and a cancel pass through`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2)) { _, _ in .max(1) }
    upstream.assertNoFailure().subscribe(subscriber)
    #expect(upstream.requests == [.max(2)])
    #expect(upstream.subscriptions[0].send(1) == .max(1))
    upstream.send(completion: .finished)
    #expect(subscriber.events == [.subscription, .value(1), .completion(.finished)])
    #expect(subscriber.violations == [])
    let other = TestSubscriber<Int, Never>()
    upstream.assertNoFailure().subscribe(other)
    other.cancel()
    #expect(upstream.cancelCount == 1)
  }

  @Test func `its message names the caller's file and line`() {
    let upstream = Just(1).assertNoFailure("numbers")
    #expect(upstream.prefix == "numbers")
    #expect("\(upstream.file)".hasSuffix("AssertNoFailureTests.swift"))
    #expect(upstream.line == #line - 3)
    #expect(Just(1).assertNoFailure().prefix == "")
  }

  @Test func `a failure traps and says what to do`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Fail<Int, Broken>(error: Broken()).assertNoFailure("numbers").sink { _ in }.cancel()
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("numbers: assertNoFailure: the upstream has failed with Broken()"))
    #expect(message.contains("catch(_:)"))
  }

  @Test func `D7: a failure after a cancel does not trap`() {
    let upstream = TestPublisher<Int, Broken>(ignoresCancel: true)
    let subscriber = TestSubscriber<Int, Never>()
    upstream.assertNoFailure().subscribe(subscriber)
    subscriber.cancel()
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.events == [.subscription])
  }
}
