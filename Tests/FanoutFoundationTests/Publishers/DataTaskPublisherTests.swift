import Fanout
import FanoutFoundation
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Against a server on the loopback.
@Suite(.timeLimit(.minutes(30)))
struct DataTaskPublisherTests {
  private typealias Loaded = URLSession.DataTaskPublisher.Output
  private let session = URLSession.ofATest

  @Test func `D9: the data and the response come, and then the end`() async throws {
    let server = try #require(LoopbackServer(["/hello": .text(200, "hello, world")]))
    defer { server.stop() }
    let recorder = session.dataTaskPublisher(for: server.url("/hello")).record()
    #expect(try await recorder.waitForEnd(within: .seconds(1800)) == .finished)
    let loaded = try #require(recorder.values.first)
    #expect(recorder.values.count == 1)
    #expect(String(decoding: loaded.data, as: UTF8.self) == "hello, world")
    #expect((loaded.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(server.paths == ["/hello"])
    #expect(recorder.violations == [])
  }

  @Test func `a status that says an error is a value, and no failure`() async throws {
    let server = try #require(LoopbackServer([:]))
    defer { server.stop() }
    let recorder = session.dataTaskPublisher(for: URLRequest(url: server.url("/lost"))).record()
    #expect(try await recorder.waitForEnd(within: .seconds(1800)) == .finished)
    #expect((recorder.values.first?.response as? HTTPURLResponse)?.statusCode == 404)
  }

  @Test func `the error of the task is the failure`() async throws {
    let server = try #require(LoopbackServer(["/cut": .nothing]))
    defer { server.stop() }
    let recorder = session.dataTaskPublisher(for: server.url("/cut")).record()
    guard case .failure = try await recorder.waitForEnd(within: .seconds(1800)) else {
      Issue.record("no failure")
      return
    }
    #expect(recorder.values.isEmpty)
    #expect(recorder.violations == [])
  }

  @Test func `where no server listens, the failure says so`() async throws {
    let server = try #require(LoopbackServer([:]))
    let url = server.url("/")
    // A port at which nobody listens any more.
    server.stop()
    let recorder = session.dataTaskPublisher(for: url).record()
    let end = try await recorder.waitForEnd(within: .seconds(1800))
    guard case .failure(let error) = end else {
      Issue.record("no failure")
      return
    }
    #expect([.cannotConnectToHost, .networkConnectionLost].contains(error.code))
  }

  @Test func `D8: the task starts at the first request, and a subscriber has one of its own`()
    async throws
  {
    let server = try #require(
      LoopbackServer(["/one": .text(200, "1"), "/first": .text(200, "first")]))
    defer { server.stop() }
    let publisher = session.dataTaskPublisher(for: server.url("/one"))
    let waiting = publisher.record(demand: .none)
    // A request of another subscriber is made and answered meanwhile.
    let first = session.dataTaskPublisher(for: server.url("/first")).record()
    try await first.waitForEnd(within: .seconds(1800))
    #expect(server.paths == ["/first"])
    waiting.request(.max(1))
    try await waiting.waitForEnd(within: .seconds(1800))
    let again = publisher.record(demand: .max(3))
    try await again.waitForEnd(within: .seconds(1800))
    #expect(server.paths == ["/first", "/one", "/one"])
    #expect(waiting.values.count == 1)
    #expect(again.values.count == 1)
  }

  @Test func `D7: a cancel cancels the task, and nothing is delivered`() throws {
    let (hasArrived, hasClosed) = (Gate(), Gate())
    let server = try #require(
      LoopbackServer(["/held": .silence(hasArrived, untilClosed: hasClosed)]))
    defer { server.stop() }
    let subscriber = TestSubscriber<Loaded, URLError>()
    session.dataTaskPublisher(for: server.url("/held")).subscribe(subscriber)
    #expect(subscriber.subscription != nil)
    subscriber.cancel()
    // Whatever the task says of its cancel has been said when the session has no tasks any more.
    #expect(session.finishTasks())
    #expect(subscriber.values.isEmpty)
    #expect(subscriber.completion == nil)
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel hangs up on a server that is silent`() throws {
    let (hasArrived, hasClosed) = (Gate(), Gate())
    let server = try #require(
      LoopbackServer(["/held": .silence(hasArrived, untilClosed: hasClosed)]))
    defer { server.stop() }
    let subscriber = TestSubscriber<Loaded, URLError>()
    session.dataTaskPublisher(for: server.url("/held")).subscribe(subscriber)
    #expect(hasArrived.wait())
    subscriber.cancel()
    #expect(hasClosed.wait())
    #expect(subscriber.completion == nil)
  }

  /// Foundation stops the program if a task's handler returns before its cancel has been reported.
  ///
  /// Neither of the tasks opens a connection: each ends as soon as it begins.
  @Test(arguments: ["http://127.0.0.1:99999/", "data:,hello"])
  func `D7: a cancel at the moment of the end, many times`(address: String) throws {
    let url = try #require(URL(string: address))
    DispatchQueue.concurrentPerform(iterations: 4) { number in
      for turn in 0..<rounds(100) {
        let session = URLSession.ofATest
        let subscriber = TestSubscriber<Loaded, URLError>()
        session.dataTaskPublisher(for: url).subscribe(subscriber)
        // From no work at all to a few hundred microseconds' worth.
        for _ in 0..<(turn * (number + 1) % 100) { _ = session.configuration }
        subscriber.cancel()
        #expect(session.finishTasks())
        #expect(subscriber.violations == [])
      }
    }
  }

  @Test func `D7: a cancel without a request makes no task`() throws {
    let server = try #require(LoopbackServer(["/never": .text(200, "")]))
    defer { server.stop() }
    let subscriber = TestSubscriber<Loaded, URLError>(initialDemand: .none)
    session.dataTaskPublisher(for: server.url("/never")).subscribe(subscriber)
    subscriber.cancel()
    subscriber.request(.max(1))
    #expect(session.finishTasks())
    #expect(server.paths == [])
  }

  @Test func `D7: a cancel inside the value leaves out the end`() async throws {
    let server = try #require(LoopbackServer(["/hello": .text(200, "hello")]))
    defer { server.stop() }
    let events = Notes<String>()
    let isOver = Gate()
    let subscriber = TestSubscriber<Loaded, URLError>(
      initialDemand: .unlimited,
      demandFor: { subscriber, loaded in
        subscriber.cancel()
        events.append("value")
        isOver.open()
        return .none
      })
    session.dataTaskPublisher(for: server.url("/hello")).subscribe(subscriber)
    #expect(isOver.wait())
    #expect(session.finishTasks())
    #expect(events.all == ["value"])
    #expect(subscriber.completion == nil)
  }

  @Test func `D12: shared, one request serves many, and those that come later`() async throws {
    let server = try #require(LoopbackServer(["/once": .text(200, "[1,2]")]))
    defer { server.stop() }
    let shared = session.dataTaskPublisher(for: server.url("/once"))
      .tryMap { try JSONDecoder().decode([Int].self, from: $0.data) }
      .share(replay: .latest)
    let early = shared.record()
    try await early.waitForEnd(within: .seconds(1800))
    let late = shared.record()
    try await late.waitForEnd(within: .seconds(1800))
    #expect(early.values == [[1, 2]])
    #expect(late.values == [[1, 2]])
    #expect(server.paths == ["/once"])
  }

  @Test func `O2: after the end and after a cancel nothing of the subscriber is kept`() async throws
  {
    let server = try #require(
      LoopbackServer([
        "/hello": .text(200, "hello"), "/held": .silence(Gate(), untilClosed: Gate()),
      ]))
    defer { server.stop() }
    for (path, isCancelled) in [("/hello", false), ("/held", true)] {
      let gone = Gate()
      let isOver = Gate()
      do {
        let token = Token { gone.open() }
        let sink = session.dataTaskPublisher(for: server.url(path)).sink { _ in
          isOver.open()
        } receiveValue: { _ in
          withExtendedLifetime(token) {}
        }
        if isCancelled { sink.cancel() } else { #expect(isOver.wait()) }
      }
      #expect(gone.wait(), "\(path)")
    }
  }

  @Test func `the subscription says what it is`() throws {
    let url = try #require(URL(string: "http://127.0.0.1/"))
    let subscriber = TestSubscriber<Loaded, URLError>(initialDemand: .none)
    session.dataTaskPublisher(for: url).subscribe(subscriber)
    let subscription = try #require(subscriber.subscription)
    #expect("\(subscription)" == "DataTaskPublisher")
    subscriber.cancel()
  }
}

extension URLSession {
  /// A session that can wait for the end of its tasks.
  fileprivate static var ofATest: URLSession {
    URLSession(configuration: .ephemeral, delegate: Invalidation(), delegateQueue: nil)
  }

  /// Waits until no task is left and what they report has been reported; returns false if that hangs.
  ///
  /// The session takes no more tasks.
  fileprivate func finishTasks() -> Bool {
    guard let invalidation = delegate as? Invalidation else { return false }
    finishTasksAndInvalidate()
    return invalidation.hasCome.wait()
  }
}

private final class Invalidation: NSObject, URLSessionDelegate {
  let hasCome = Gate()

  func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
    hasCome.open()
  }
}
