import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// An HTTP connection of a test.
final class TestConnection: Sendable {
  let channel: any Channel
  private let parts: AsyncStream<HTTPClientResponsePart>

  private init(_ channel: any Channel, _ parts: AsyncStream<HTTPClientResponsePart>) {
    self.channel = channel
    self.parts = parts
  }

  deinit { channel.close(promise: nil) }

  static func open(_ port: Int, at host: String = "127.0.0.1") async throws -> TestConnection {
    let (parts, received) = AsyncStream.makeStream(of: HTTPClientResponsePart.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.socketOption(.so_rcvbuf), value: 32 * 1_024)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(PartsHandler(received))
        }
      }
      .connect(host: host, port: port).get()
    return TestConnection(channel, parts)
  }

  func send(
    _ method: HTTPMethod, _ path: String, headers: [String: String] = [:], body: String? = nil
  ) async throws {
    var fields = HTTPHeaders(headers.map { ($0.key, $0.value) })
    if !fields.contains(name: "Host") { fields.add(name: "Host", value: "127.0.0.1") }
    if let body { fields.add(name: "Content-Length", value: "\(body.utf8.count)") }
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: path, headers: fields)
    channel.write(HTTPClientRequestPart.head(head), promise: nil)
    if let body {
      channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(string: body))), promise: nil)
    }
    try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
  }

  func makePartIterator() -> AsyncStream<HTTPClientResponsePart>.Iterator {
    parts.makeAsyncIterator()
  }

  /// Waits for a whole response.
  func response() async throws -> TestResponse {
    var response = TestResponse(status: 0, headers: [:], text: "")
    for await part in parts {
      switch part {
      case .head(let head):
        response.status = Int(head.status.code)
        response.headers = head.headers
      case .body(let bytes): response.text += String(buffer: bytes)
      case .end: return response
      }
    }
    throw ConnectionEnded()
  }

  func close() { channel.close(promise: nil) }
}

struct ConnectionEnded: Error {}

struct TestResponse {
  var status: Int
  var headers: HTTPHeaders
  var text: String

  /// A field of the object that the body is.
  subscript(name: String) -> String? {
    let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    return object?[name] as? String
  }
}

private final class PartsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  private let received: AsyncStream<HTTPClientResponsePart>.Continuation

  init(_ received: AsyncStream<HTTPClientResponsePart>.Continuation) { self.received = received }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received.yield(unwrapInboundIn(data))
  }
  func channelInactive(context: ChannelHandlerContext) { received.finish() }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension RunningService {
  /// Sends a request on a connection of its own, and returns the response.
  @discardableResult
  func request(
    _ method: HTTPMethod, _ path: String, headers: [String: String] = [:], json: String? = nil
  ) async throws -> TestResponse {
    var headers = headers
    if json != nil, headers["Content-Type"] == nil { headers["Content-Type"] = "application/json" }
    let connection = try await TestConnection.open(port)
    try await connection.send(method, path, headers: headers, body: json)
    let response = try await connection.response()
    try await connection.channel.close()
    return response
  }

  func makeBoard(_ id: String = "b") async throws {
    try await request(.POST, "/api/boards", json: #"{"id":"\#(id)","title":"A board"}"#)
  }

  /// Adds an item, and returns its id and position.
  func add(_ text: String, to board: String = "b") async throws -> (id: String, position: String) {
    let response = try await request(
      .POST, "/api/boards/\(board)/items", json: #"{"text":"\#(text)","column":"todo"}"#)
    guard let id = response["id"], let position = response["position"] else {
      throw UnexpectedResponse(response: response)
    }
    return (id, position)
  }

  func stream(
    _ board: String = "b", after id: String? = nil, headers: [String: String] = [:]
  ) async throws -> TestStream {
    let connection = try await TestConnection.open(port)
    var headers = headers
    if let id { headers["Last-Event-ID"] = id }
    try await connection.send(.GET, "/api/boards/\(board)/events", headers: headers)
    return TestStream(connection)
  }
}

/// What a connection receives until it is closed.
private final class TextHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  private var text = ""
  private let received: AsyncStream<String>.Continuation

  init(_ received: AsyncStream<String>.Continuation) { self.received = received }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    received.yield(text)
  }
  func channelInactive(context: ChannelHandlerContext) { received.finish() }
  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension RunningService {
  /// Sends bytes as they are, and returns what comes back first.
  func answer(to request: String) async throws -> String {
    let (texts, received) = AsyncStream.makeStream(of: String.self)
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(TextHandler(received))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    try await channel.writeAndFlush(ByteBuffer(string: request))
    let answer = await texts.first { $0.contains("\r\n") }
    try? await channel.close()
    return answer ?? ""
  }
}

struct UnexpectedResponse: Error {
  let response: TestResponse
}
