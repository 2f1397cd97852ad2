import Fanout
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The recipe of a socket that comes back, in the form of an app, against a server on the loopback.
@Suite(.timeLimit(.minutes(30)))
struct WebSocketRecipeTests {
  @Test func `an answer accepts the key of RFC 6455, section 1.3`() {
    #expect(
      WebSocketServer.accepted("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test(.enabled("this Foundation was built without WebSockets") { await hasWebSockets() })
  func `a URLSessionWebSocketTask comes back, is shared, and is closed when all have left`()
    async throws
  {
    try await check { URLSession.shared.webSocketTask(with: $0) }
  }

  @Test func `a socket comes back, is shared, and is closed when all have left`() async throws {
    try await check { PlainWebSocket($0) }
  }

  private func check(_ make: @escaping @Sendable (URL) -> some MessageSocket) async throws {
    let isClosed = Gate()
    let server = try #require(
      LoopbackServer([
        "/feed": .webSocket([["hello", "you"], [], ["again"]], untilClosed: isClosed)
      ]))
    defer { server.stop() }
    let url = server.webSocketURL("/feed")
    let texts = Deferred {
      let socket = make(url)
      socket.resume()
      return AsyncThrowingStream { try await socket.receive() }.publisher
        .compactMap { if case .string(let text) = $0 { text } else { nil } }
        .handleEvents(receiveCancel: { socket.cancel(with: .goingAway, reason: nil) })
    }
    let messages =
      texts
      .retry(.constant(.milliseconds(1)), alsoAfterFinish: true)
      .share(replay: .latest)
    do {
      var loop = messages.values.makeAsyncIterator()
      for text in ["hello", "you", "again"] { #expect(await loop.next(isolation: nil) == text) }
      #expect(await messages.values.firstValue() == "again")
      #expect(server.paths == ["/feed", "/feed", "/feed"])
    }
    #expect(isClosed.wait())
  }

  /// Returns whether `URLSession` can open a WebSocket here.
  private static func hasWebSockets() async -> Bool {
    guard let server = LoopbackServer(["/": .webSocket([["hello"], []], untilClosed: Gate())])
    else { return false }
    defer { server.stop() }
    let socket = URLSession.shared.webSocketTask(with: server.webSocketURL("/"))
    socket.resume()
    defer { socket.cancel(with: .goingAway, reason: nil) }
    return (try? await socket.receive()) != nil
  }
}

extension LoopbackServer {
  /// The address of a WebSocket.
  fileprivate func webSocketURL(_ path: String) -> URL {
    guard let url = URL(string: "ws://127.0.0.1:\(port)\(path)") else {
      fatalError("No address has the path \(path); begin it with /.")
    }
    return url
  }
}
