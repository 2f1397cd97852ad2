import FanoutCore
import FanoutLifetime
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct FirstValueTests {
  @Test func `D8: it requests one value, and cancels when it has come`() async {
    let source = TestPublisher<Int, Never>()
    let value = Task { await source.firstValue() }
    while source.requests.isEmpty { await Task.yield() }
    #expect(source.requests == [.max(1)])
    source.send(7)
    #expect(await value.value == 7)
    #expect(source.cancelCount == 1)
  }

  @Test func `an end without a value is nil, and a failure is thrown with its type`() async {
    #expect(await Empty<Int, Never>().firstValue() == nil)
    do throws(Broken) {
      _ = try await Fail<Int, Broken>(error: Broken()).firstValue()
      Issue.record("no failure")
    } catch {
      #expect(error == Broken())
    }
    #expect(await Just(1).firstValue() == 1)
    #expect(await Future<Int, Never> { $0(.success(2)) }.firstValue() == 2)
  }

  @Test func `D7, Q5: a cancel while it waits, or before, gives nil and cancels the publisher`()
    async
  {
    let source = TestPublisher<Int, Never>()
    let waiting = Task { await source.firstValue() }
    while source.requests.isEmpty { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == nil)
    #expect(source.cancelCount == 1)
    let before = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await source.firstValue()
    }
    #expect(await before.value == nil)
    #expect(source.cancelCount == 2)
  }

  @Test func `O2: nothing of it stays`() async {
    var watch: WeakReference?
    do {
      let subject = CurrentValueSubject<Int, Never>(3)
      watch = WeakReference(subject)
      #expect(await subject.firstValue() == 3)
    }
    #expect(watch?.isAlive == false)
  }

  @MainActor
  @Test func `it continues where its caller runs`() async {
    #expect(await Just(1).firstValue() == 1)
    MainActor.assertIsolated()
  }
}
