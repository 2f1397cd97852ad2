import Fanout
import FanoutLifetime
import Testing

/// Values that exist in a loop only until a call of `next()` takes them.
struct InTransitLoopTests {
  @Test func `O6: PullCursor.batch: until the loop takes the values, or a cancel`() throws {
    let source = PassthroughSubject<Token, Never>()
    let cursor = try #require(source.share().values.makeAsyncIterator().cursor)
    weak var second: Token?
    weak var third: Token?
    func sendThree() {
      let tokens = (1...3).map { _ in Token() }
      (second, third) = (tokens[1], tokens[2])
      for token in tokens { source.send(token) }
    }
    func isSet() -> Bool { InTransit.isSet("PullCursor.batch", from: cursor) }

    sendThree()
    #expect(!isSet())
    _ = cursor.fetch()
    #expect(isSet())
    #expect(second != nil)
    _ = cursor.fetch()
    #expect(second == nil)
    _ = cursor.fetch()
    #expect(!isSet())

    sendThree()
    _ = cursor.fetch()
    #expect(third != nil)
    cursor.cancel()
    #expect(!isSet())
    #expect(third == nil)
  }

  @Test func `O6: PullCursor.calls.result: until the call takes it`() async throws {
    let source = PassthroughSubject<Token, Never>()
    nonisolated(unsafe) let iterator = source.share().values.makeAsyncIterator()
    let cursor = try #require(iterator.cursor)
    func isSet() -> Bool { InTransit.isSet("PullCursor.calls.result", from: cursor) }

    let call = Task { @MainActor in
      var iterator = iterator
      return await iterator.next(isolation: MainActor.shared) != nil
    }
    // The task waits before this one continues, and continues after this one waits.
    let wasSet = await Task { @MainActor in
      while cursor.waitingTasks == 0 { await Task.yield() }
      source.send(Token())
      return isSet()
    }.value
    #expect(wasSet)
    #expect(await call.value)
    #expect(!isSet())
  }

  @Test func `D8: AwaitedValues.state.calls.result: until the call takes it`() {
    let source = PassthroughSubject<Token, Never>()
    let iterator = source.values.makeAsyncIterator()
    func isSet() -> Bool {
      InTransit.isSet("AwaitedValues.state.calls.result", from: iterator.subscriber)
    }

    guard case .waiting(let call) = iterator.subscriber.ask() else { return }
    source.send(Token())
    #expect(isSet())
    _ = iterator.subscriber.take(for: call)
    #expect(!isSet())
  }
}
