import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A connection that sends one request after the other.
struct Connection: Sendable {
  private let channel: any Channel

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  init(port: Int, on loop: any EventLoop) async throws {
    channel = try await ClientBootstrap(group: loop)
      .channelOption(.tcpOption(.tcp_nodelay), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(ResponseHandler())
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
  }

  /// Sends a request with JSON; returns the JSON of the answer.
  @discardableResult
  func send(_ method: HTTPMethod, _ path: String, _ json: String) async throws -> [String: String] {
    let promise = channel.eventLoop.makePromise(of: ByteBuffer.self)
    let request = Request(method: method, path: path, json: json, promise: promise)
    channel.writeAndFlush(request).cascadeFailure(to: promise)
    let answer = try await promise.futureResult.get()
    return try JSONDecoder().decode([String: String].self, from: Data(answer.readableBytesView))
  }

  func close() async { try? await channel.close() }
}

/// A request, and the promise of its answer.
private struct Request: Sendable {
  let method: HTTPMethod
  let path: String
  let json: String
  let promise: EventLoopPromise<ByteBuffer>
}

private final class ResponseHandler: ChannelDuplexHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias OutboundIn = Request
  typealias OutboundOut = HTTPClientRequestPart

  private var promise: EventLoopPromise<ByteBuffer>?
  private var status = HTTPResponseStatus.ok
  private var body = ByteBuffer()

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let request = unwrapOutboundIn(data)
    self.promise = request.promise
    let headers: HTTPHeaders = [
      "Host": "127.0.0.1", "Content-Type": "application/json",
      "Content-Length": "\(request.json.utf8.count)",
    ]
    let head = HTTPRequestHead(
      version: .http1_1, method: request.method, uri: request.path, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: request.json)))), promise: nil)
    context.write(wrapOutboundOut(.end(nil)), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      status = head.status
      body.clear()
    case .body(var bytes): body.writeBuffer(&bytes)
    case .end:
      if status.code < 300 {
        promise?.succeed(body)
      } else {
        promise?.fail(Connection.Refused(description: "\(status): \(String(buffer: body))"))
      }
      promise = nil
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    promise?.fail(ChannelError.eof)
    promise = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    promise?.fail(error)
    promise = nil
    context.close(promise: nil)
  }
}
