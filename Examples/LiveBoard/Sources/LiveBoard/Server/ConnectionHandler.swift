import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A connection's limits, and the comments that keep an event stream alive.
///
/// A connection beyond the limit of its address gets 429 for its first request, and is closed; so is one that asks for
/// nothing within two seconds. What is written to a browser that does not read is bounded: by the send buffer of the
/// socket, and by the watermarks, above which the loop that writes waits.
///
/// Requests are passed on one by one. One that comes behind an event stream on its connection has no answer to wait
/// for, and is dropped: then the service goes on reading, and sees the end of the connection.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private static let keepAlive = ByteBuffer(string: ": keep-alive\n\n")
  /// The parts of requests that a connection may send ahead before it is no longer read.
  private static let ahead = 64

  private let limit: AddressLimit
  private let interval: TimeAmount
  private let refused: @Sendable () -> Void
  private var place: AddressLimit.Place?
  private var isRefused = false
  /// The end of a connection that is refused and asks for nothing.
  private var end: Scheduled<Void>?
  /// What came before the answer to the request in front of it.
  private var waiting: CircularBuffer<HTTPRequestPart> = []
  /// Whether a request is passed on and has no whole answer yet.
  private var isAnswering = false
  private var isStream = false
  /// Whether a read was asked for while enough waited.
  private var isReadDue = false
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
    let part = unwrapInboundIn(data)
    if isRefused {
      if case .end = part { refuse(context) }
    } else if let part = next(part) {
      context.fireChannelRead(wrapInboundOut(part))
    }
  }

  /// Returns a part if it is to be passed on now.
  private func next(_ part: HTTPRequestPart) -> HTTPRequestPart? {
    let isHead = if case .head = part { true } else { false }
    if waiting.isEmpty, !isHead || !isAnswering {
      isAnswering = isAnswering || isHead
      return part
    }
    if !isStream { waiting.append(part) }
    return nil
  }

  func read(context: ChannelHandlerContext) {
    isReadDue = waiting.count >= Self.ahead
    if !isReadDue { context.read() }
  }

  /// Passes on the request behind the one that is answered.
  private func answered(_ context: ChannelHandlerContext) {
    isAnswering = false
    guard let head = waiting.popFirst() else { return }
    isAnswering = true
    context.fireChannelRead(wrapInboundOut(head))
    while let part = waiting.first {
      if case .head = part { break }
      waiting.removeFirst()
      context.fireChannelRead(wrapInboundOut(part))
    }
    context.fireChannelReadComplete()
    if isReadDue { read(context: context) }
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
    let part = unwrapOutboundIn(data)
    switch part {
    case .head(let head) where head.headerFields[.contentType] == "text/event-stream":
      isStream = true
      waiting.removeAll()
      if isReadDue { read(context: context) }
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
    guard case .end = part else { return context.write(data, promise: promise) }
    guard isStream else {
      context.write(data, promise: promise)
      return answered(context)
    }
    // Not earlier: what is not written is lost when the connection is closed.
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let written = promise ?? context.eventLoop.makePromise()
    written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
    context.write(data, promise: written)
  }

  private func ping(_ context: ChannelHandlerContext) {
    defer { isActive = false }
    // A browser that does not read has enough to read.
    guard !isActive, context.channel.isWritable, pings != nil else { return }
    context.writeAndFlush(wrapOutboundOut(.body(Self.keepAlive)), promise: nil)
  }
}
