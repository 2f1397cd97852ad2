import CoreMetrics
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// A connection's limits, and the events that show a browser that its stream is alive.
///
/// A connection beyond the limits gets 429 for its first request, and is closed; if it asks for
/// nothing within two seconds, it is closed without. Any other one is closed if a body has not
/// arrived as a whole twenty seconds behind its head. What is written to a browser that does not
/// read is bounded: by the send buffer of the socket, and by the watermarks, above which the loop
/// that writes waits.
///
/// Requests are passed on one by one. One that comes behind an event stream on its connection has no answer to wait
/// for, and is dropped: then the service goes on reading, and sees the end of the connection.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// The longest time without an event; the page takes the service for dead after 40 seconds.
  static let interval = TimeAmount.seconds(15)
  static let ping = ByteBuffer(string: Event.text("ping", data: "{}"))
  private static let slowestRequest = TimeAmount.seconds(20)
  /// The parts of requests, and the bytes of their bodies, that a connection may send ahead before it
  /// is no longer read.
  private static let ahead = (parts: 64, bytes: 16 * 1_024)

  private let limits: ConnectionLimits
  private let interval: TimeAmount
  private let instruments: Instruments
  private var place: ConnectionLimits.Place?
  /// The end of a connection that is refused and asks for nothing, or whose request takes too long.
  private var end: Scheduled<Void>?
  /// What came before the answer to the request in front of it.
  private var waiting: CircularBuffer<HTTPRequestPart> = []
  /// Whether a request is passed on and has no whole answer yet.
  private var isAnswering = false
  private var isStream = false
  /// Whether a read was asked for while enough waited.
  private var isReadDue = false
  private var nextPing: Scheduled<Void>?
  private var lastWrite = NIODeadline.now()
  /// Whether a stream is between two events.
  private var isBetween = false

  init(limits: ConnectionLimits, interval: TimeAmount = interval, instruments: Instruments) {
    self.limits = limits
    self.interval = interval
    self.instruments = instruments
  }

  func handlerAdded(context: ChannelHandlerContext) {
    if let options = context.channel.syncOptions {
      // Best effort: a smaller buffer only shows sooner that a browser does not read.
      try? options.setOption(.socketOption(.so_sndbuf), value: 64 * 1_024)
      // What is read at once can wait for the answers to the requests in front.
      try? options.setOption(
        .recvAllocator,
        value: AdaptiveRecvByteBufferAllocator(minimum: 1_024, initial: 4_096, maximum: 16 * 1_024))
      try? options.setOption(.writeBufferWaterMark, value: .init(low: 8 * 1_024, high: 16 * 1_024))
    }
    if context.channel.isActive { begin(context) }
  }

  func channelActive(context: ChannelHandlerContext) {
    begin(context)
    if case .open = place { context.fireChannelActive() }
  }

  private func begin(_ context: ChannelHandlerContext) {
    guard place == nil else { return }
    let place = limits.place(for: context.remoteAddress?.client ?? "unknown")
    self.place = place
    switch place {
    case .open: return
    // An answer in front of the request would be lost, when that arrives at a closed socket.
    case .refused: close(context, in: .seconds(2))
    case .closed: context.close(promise: nil)
    }
    instruments.refused.increment()
  }

  private func close(_ context: ChannelHandlerContext, in time: TimeAmount, late: Counter? = nil) {
    end?.cancel()
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    end = context.eventLoop.scheduleTask(in: time) {
      let (handler, context) = bound.value
      // The rest may have arrived, and wait for the answers to the requests in front.
      guard !handler.isReadDue else { return handler.close(context, in: time, late: late) }
      late?.increment()
      context.close(promise: nil)
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    switch (place, part) {
    case (.open, .head): close(context, in: Self.slowestRequest, late: instruments.late)
    case (.open, .end): end?.cancel()
    case (.open, .body): break
    case (.refused(_, let text), .end): return refuse(context, text)
    default: return
    }
    if let part = next(part) { context.fireChannelRead(wrapInboundOut(part)) }
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
    let bytes = waiting.reduce(0) { sum, part in
      if case .body(let bytes) = part { sum + bytes.readableBytes } else { sum }
    }
    isReadDue = waiting.count >= Self.ahead.parts || bytes >= Self.ahead.bytes
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

  private func refuse(_ context: ChannelHandlerContext, _ text: String) {
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
    nextPing?.cancel()
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    switch part {
    case .head(let head) where head.headerFields[.contentType] == "text/event-stream":
      isStream = true
      waiting.removeAll()
      if isReadDue { read(context: context) }
    case .body(let bytes) where isStream:
      isBetween = bytes.readableBytesView.suffix(2).elementsEqual("\n\n".utf8)
      lastWrite = context.eventLoop.now
      if nextPing == nil { ping(context, in: interval) }
    case .end: nextPing?.cancel()
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

  /// Writes an event when there has been none for the interval, and so on.
  private func ping(_ context: ChannelHandlerContext, in time: TimeAmount) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    nextPing = context.eventLoop.scheduleTask(in: time) {
      let (handler, context) = bound.value
      let left = handler.interval - (context.eventLoop.now - handler.lastWrite)
      guard left <= .zero else { return handler.ping(context, in: left) }
      // A browser that does not read has enough to read.
      if handler.isBetween, context.channel.isWritable {
        context.writeAndFlush(handler.wrapOutboundOut(.body(Self.ping)), promise: nil)
      }
      handler.lastWrite = context.eventLoop.now
      handler.ping(context, in: handler.interval)
    }
  }
}
