import NIOCore
import NIOHTTPTypes

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Closes a connection whose socket takes nothing of what waits for it.
///
/// A browser that does not read would keep its place, and what waits for it, for ever. A slow one stays: to take any of
/// it is enough.
final class WriteDeadlineHandler: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limit: TimeAmount
  private let closes: @Sendable (_ address: String) -> Void
  /// The bytes of bodies that were written to the channel.
  private var written = 0
  /// How many of them the socket had taken at the last look, less what their frames need.
  private var taken = 0
  /// The time of the last look that found that nothing waits, or that the socket has taken something.
  private var lastProgress = NIODeadline.now()
  private var looks: RepeatedTask?

  /// Creates a handler that closes a connection after a time; the closure is told then.
  init(_ limit: TimeAmount, closes: @escaping @Sendable (_ address: String) -> Void) {
    self.limit = limit
    self.closes = closes
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let interval = TimeAmount.nanoseconds(limit.nanoseconds / 6)
    looks = context.eventLoop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
      let (handler, context) = bound.value
      handler.look(context)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    looks?.cancel()
    looks = nil
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .body(let bytes) = unwrapOutboundIn(data) { written += bytes.readableBytes }
    context.write(data, promise: promise)
  }

  private func look(_ context: ChannelHandlerContext) {
    let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    let taken = written - waiting
    if waiting == 0 || taken > self.taken { lastProgress = .now() }
    self.taken = taken
    guard .now() - lastProgress >= limit else { return }
    closes(context.remoteAddress?.client ?? "unknown")
    // Else the system would keep what it has of it, and try on.
    _ = (context.channel as? any SocketOptionProvider)?.setSoLinger(
      linger(l_onoff: 1, l_linger: 0))
    context.close(promise: nil)
  }
}
