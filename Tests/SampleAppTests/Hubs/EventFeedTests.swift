import FanoutTestSupport
import SampleApp
import Testing

struct EventFeedTests {
  private let feed = EventFeed()

  private func publish(_ ids: ClosedRange<Int>) {
    for id in ids { feed.publish(Event(id: id, data: "event \(id)")) }
  }

  private func text(_ ids: ClosedRange<Int>) -> String {
    ids.map { "id: \($0)\ndata: event \($0)\n\n" }.joined()
  }

  /// Begins a response to a browser that knows an event, and returns what it writes when the browser listens.
  private func respond(
    after lastID: Int? = nil, beforeWrite: @escaping @Sendable () async -> Void = {}
  ) async -> (task: Task<Void, Never>, parts: AsyncStream<String>.Iterator) {
    let known = feed.browsers
    let (parts, written) = AsyncStream.makeStream(of: String.self)
    let task = Task { [feed] in
      await feed.respond(after: lastID) {
        await beforeWrite()
        written.yield($0)
      }
      written.finish()
    }
    while feed.browsers == known { await Task.yield() }
    return (task, parts.makeAsyncIterator())
  }

  @Test func `a browser that comes back goes on behind the last event it knows`() async {
    publish(1...5)
    var response = await respond(after: 3)
    publish(6...6)
    feed.close()
    var written = ""
    while let part = await response.parts.next() { written += part }
    #expect(written == text(4...6))
  }

  @Test func `a new browser gets what comes next, and one that is gone leaves`() async {
    publish(1...2)
    var response = await respond()
    publish(3...3)
    #expect(await response.parts.next() == text(3...3))
    response.task.cancel()
    await response.task.value
    #expect(feed.publish(Event(id: 4, data: "")) == 0)
  }

  @Test func `a browser that is too slow is told to load again, and gets the newest 64`() async {
    let (gate, opener) = AsyncStream.makeStream(of: Void.self)
    var response = await respond { for await _ in gate {} }
    publish(1...1)
    // The first event is on its way when the others come.
    while feed.waiting > 0 { await Task.yield() }
    publish(2...100)
    opener.finish()
    feed.close()
    var written = ""
    while let part = await response.parts.next() { written += part }
    #expect(written == text(1...1) + "event: reload\n\n" + text(37...100))
  }

  @Test(.noLeaks) func `a feed with browsers leaves nothing behind`() async {
    let feed = tracked(EventFeed(), "feed")
    feed.publish(Event(id: 1, data: ""))
    let task = Task { [weak feed] in await feed?.respond { _ in } }
    while feed.browsers == 0 { await Task.yield() }
    task.cancel()
    await task.value
  }
}
