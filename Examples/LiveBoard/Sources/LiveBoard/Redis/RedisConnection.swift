import NIOCore
import NIOPosix

/// A connection to Redis: commands are answered in the order in which they are sent.
final class RedisConnection: Sendable {
  private let channel: any Channel

  private init(_ channel: any Channel) { self.channel = channel }

  deinit { channel.close(promise: nil) }

  static func open(_ address: RedisAddress, on group: any EventLoopGroup) async throws
    -> RedisConnection
  {
    let channel = try await ClientBootstrap(group: group)
      .connectTimeout(.seconds(2))
      .channelOption(.socketOption(.so_keepalive), value: 1)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(
            ByteToMessageHandler(RESPDecoder()), ReplyHandler())
        }
      }
      .connect(host: address.host, port: address.port).get()
    return RedisConnection(channel)
  }

  var isOpen: Bool { channel.isActive }

  /// Sends a command; throws ``RedisError/refused(_:)`` if Redis answers with an error.
  ///
  /// A cancelled task still waits for the answer, or for the timeout, because the answers have no other order.
  func send(_ command: [String], timeout: TimeAmount = .seconds(5)) async throws -> RESP {
    let promise = channel.eventLoop.makePromise(of: RESP.self)
    let call = ReplyHandler.Call(
      bytes: ByteBuffer(command: command), reply: promise, timeout: timeout)
    let written = channel.eventLoop.makePromise(of: Void.self)
    // A closed channel has no handlers any more, so nothing else would answer.
    written.futureResult.whenFailure { promise.fail($0) }
    channel.writeAndFlush(call, promise: written)
    let reply: RESP
    do { reply = try await promise.futureResult.get() } catch let error as RedisError {
      throw error
    } catch {
      // The channel's own errors: a reset, or a write to a channel that has just closed.
      throw RedisError.unreachable("\(error)")
    }
    if case .error(let text) = reply { throw RedisError.refused(text) }
    return reply
  }

  func close() { channel.close(promise: nil) }
}

/// The address of a Redis server.
struct RedisAddress: Hashable, Sendable {
  let host: String
  let port: Int

  /// Reads `redis://HOST:PORT`; returns nil if it is something else.
  init?(_ url: String) {
    guard url.hasPrefix("redis://") else { return nil }
    let rest = url.dropFirst("redis://".count).split(separator: "/").first ?? ""
    guard let colon = rest.lastIndex(of: ":") else {
      guard !rest.isEmpty else { return nil }
      (host, port) = (String(rest), 6379)
      return
    }
    guard let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port),
      colon > rest.startIndex
    else { return nil }
    host = String(rest[..<colon])
    self.port = port
  }
}

/// Gives each reply to the call that waits for it.
private final class ReplyHandler: ChannelDuplexHandler {
  typealias InboundIn = RESP
  typealias OutboundIn = Call
  typealias OutboundOut = ByteBuffer

  struct Call: Sendable {
    let bytes: ByteBuffer
    let reply: EventLoopPromise<RESP>
    let timeout: TimeAmount
  }

  private var waiting: CircularBuffer<(EventLoopPromise<RESP>, Scheduled<Void>)> = []
  private var isClosed = false

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let call = unwrapOutboundIn(data)
    guard !isClosed else {
      promise?.fail(RedisError.closed)
      return call.reply.fail(RedisError.closed)
    }
    // A late answer would be taken for that of the next call, so the connection is of no use any more.
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let timeout = context.eventLoop.scheduleTask(in: call.timeout) {
      let (handler, context) = bound.value
      handler.close(RedisError.timeout)
      context.close(promise: nil)
    }
    waiting.append((call.reply, timeout))
    context.write(wrapOutboundOut(call.bytes), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let (reply, timeout) = waiting.popFirst() else { return }
    timeout.cancel()
    reply.succeed(unwrapInboundIn(data))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    close(error)
    context.close(promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) {
    close(RedisError.closed)
    context.fireChannelInactive()
  }

  private func close(_ error: any Error) {
    isClosed = true
    while let (reply, timeout) = waiting.popFirst() {
      timeout.cancel()
      reply.fail(error)
    }
  }
}

/// A connection for commands, which is opened anew when it is lost.
actor RedisClient {
  private let address: RedisAddress
  private let group: any EventLoopGroup
  private var opening: Task<RedisConnection, any Error>?

  init(_ address: RedisAddress, on group: any EventLoopGroup) {
    self.address = address
    self.group = group
  }

  /// Opens a connection of the caller's own, for a command that blocks.
  nonisolated func connect() async throws -> RedisConnection {
    do { return try await RedisConnection.open(address, on: group) } catch {
      throw RedisError.unreachable("\(error)")
    }
  }

  func send(_ command: [String]) async throws -> RESP {
    try await connection().send(command)
  }

  private func connection() async throws -> RedisConnection {
    if let known = opening {
      if case .success(let open) = await known.result, open.isOpen { return open }
      // Another call may have begun to open one while this one waited.
      if opening == known { opening = nil }
    }
    let next = opening ?? Task { try await connect() }
    opening = next
    return try await next.value
  }
}
