import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A connection's limits, and the comments that keep an event stream alive.
///
/// A connection beyond the limit of its address gets 429 for its first request, and is closed; so is one that asks for
/// nothing within two seconds. What is written to a
/// browser that does not read is bounded: by the send buffer of the socket, and by the watermarks, above which the loop
/// that writes waits.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")

  private let limit: AddressLimit
  private let interval: TimeAmount
  private let refused: @Sendable () -> Void
  private var place: AddressLimit.Place?
  private var isRefused = false
  /// The end of a connection that is refused and asks for nothing.
  private var end: Scheduled<Void>?
  private var pings: RepeatedTask?
  /// Whether something was written since the last look.
  private var isActive = false

  init(limit: AddressLimit, keepAlive interval: TimeAmount, refused: @escaping @Sendable () -> Void)
  {
    self.limit = limit
    self.interval = interval
    self.refused = refused
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if let options = context.channel.syncOptions {
      // Best effort: a smaller buffer only shows sooner that a browser does not read.
      try? options.setOption(.socketOption(.so_sndbuf), value: 64 * 1_024)
      try? options.setOption(.writeBufferWaterMark, value: .init(low: 16 * 1_024, high: 64 * 1_024))
    }
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    if !isRefused { context.fireChannelActive() }
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard place == nil, !isRefused else { return }
    place = limit.place(for: context.remoteAddress?.host ?? "unknown")
    guard place == nil else { return }
    isRefused = true
    refused()
    // An answer in front of the request would be lost, when that arrives at a closed socket.
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    end = context.eventLoop.scheduleTask(in: .seconds(2)) {
      let (_, context) = bound.value
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isRefused else { return context.fireChannelRead(data) }
    if case .end = unwrapInboundIn(data) { refuse(context) }
  }

  private func refuse(_ context: ChannelHandlerContext) {
    let text = "This address has \(limit.limit) connections open. Close some, or come back later."
    let body = ByteBuffer(string: JSON.text(["error": text]))
    let fields: HTTPFields = [
      .contentType: "application/json", .contentLength: "\(body.readableBytes)",
      .connection: "close", .retryAfter: "5",
    ]
    let head = HTTPResponse(status: .tooManyRequests, headerFields: fields)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(body)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stop() }

  private func stop() {
    place = nil
    end?.cancel()
    pings?.cancel()
    pings = nil
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    isActive = true
    switch unwrapOutboundIn(data) {
    case .head(let head) where head.headerFields[.contentType] == "text/event-stream":
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      pings = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
        let (handler, context) = bound.value
        handler.ping(context)
      }
    case .end:
      pings?.cancel()
      pings = nil
    default: break
    }
    context.write(data, promise: promise)
  }

  private func ping(_ context: ChannelHandlerContext) {
    defer { isActive = false }
    // A browser that does not read has enough to read.
    guard !isActive, context.channel.isWritable, pings != nil else { return }
    context.writeAndFlush(wrapOutboundOut(.body(Self.keepAlive)), promise: nil)
  }
}
