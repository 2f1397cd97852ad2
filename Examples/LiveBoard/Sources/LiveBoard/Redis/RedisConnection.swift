import NIOCore
import NIOPosix

/// A connection to Redis: commands are answered in the order in which they are sent.
final class RedisConnection: Sendable {
  private let channel: any Channel

  private init(_ channel: any Channel) { self.channel = channel }

  deinit { channel.close(promise: nil) }

  /// Opens a connection, on which the address's user is signed in, and its database chosen.
  ///
  /// - Throws: A ``RedisError``.
  static func open(_ address: RedisAddress, on group: any EventLoopGroup) async throws
    -> RedisConnection
  {
    let channel: any Channel
    do {
      channel = try await ClientBootstrap(group: group)
        .connectTimeout(.seconds(2))
        .channelOption(.socketOption(.so_keepalive), value: 1)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers(
              ByteToMessageHandler(RESPDecoder()), ReplyHandler())
          }
        }
        .connect(host: address.host, port: address.port).get()
    } catch {
      throw RedisError.unreachable("\(error)")
    }
    let connection = RedisConnection(channel)
    do { try await connection.begin(address) } catch let error as RedisError
      where error.isOutcomeUnknown
    {
      // Unknown is what became of AUTH or SELECT, and not of the caller's command.
      throw RedisError.unreachable("\(error)")
    }
    return connection
  }

  private func begin(_ address: RedisAddress) async throws {
    if let password = address.password {
      let account = address.user.map { [$0, password] } ?? [password]
      let reply = try await reply(to: ["AUTH"] + account, timeout: .seconds(2))
      if case .error(let text) = reply {
        // Not the whole text: Redis may repeat in it what it was sent.
        throw RedisError.notAllowed(
          """
          it does not take the user and the password of --redis (\(text.prefix { $0 != " " })). \
          Check them, and whether Redis has a password at all
          """)
      }
    }
    if address.database > 0 {
      let reply = try await reply(to: ["SELECT", "\(address.database)"], timeout: .seconds(2))
      if case .error(let text) = reply {
        throw RedisError(refusal: "\(text) (database \(address.database) of --redis)")
      }
    }
  }

  var isOpen: Bool { channel.isActive }

  /// Sends a command; throws ``RedisError/refused(_:)`` if Redis answers with an error.
  ///
  /// A cancelled task still waits for the answer, or for the timeout, because the answers have no other order.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - timeout: The time after which the connection is given up, with all that waits for it.
  ///   - patience: The time after which this call alone is, if it is shorter.
  /// - Returns: The answer.
  /// - Throws: A ``RedisError``.
  func send(
    _ command: [String], timeout: TimeAmount = .seconds(5), patience: TimeAmount? = nil
  ) async throws -> RESP {
    let reply = try await reply(to: command, timeout: timeout, patience: patience)
    if case .error(let text) = reply { throw RedisError(refusal: text) }
    return reply
  }

  private func reply(
    to command: [String], timeout: TimeAmount, patience: TimeAmount? = nil
  ) async throws -> RESP {
    let promise = channel.eventLoop.makePromise(of: RESP.self)
    let call = ReplyHandler.Call(
      bytes: ByteBuffer(command: command), reply: promise, timeout: timeout)
    let written = channel.eventLoop.makePromise(of: Void.self)
    // Not all bytes have been taken by the socket then, so Redis cannot have the command.
    written.futureResult.whenFailure { _ in promise.fail(RedisError.notSent) }
    channel.writeAndFlush(call, promise: written)
    if let patience {
      let end = channel.eventLoop.scheduleTask(in: patience) { promise.fail(RedisError.timeout) }
      promise.futureResult.whenComplete { _ in end.cancel() }
    }
    do { return try await promise.futureResult.get() } catch let error as RedisError {
      throw error
    } catch {
      throw RedisError.lost("\(error)")
    }
  }

  func close() { channel.close(promise: nil) }
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
      promise?.fail(RedisError.notSent)
      return call.reply.fail(RedisError.notSent)
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
    close(RedisError.lost("it is closed"))
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
    try await RedisConnection.open(address, on: group)
  }

  func send(_ command: [String], patience: TimeAmount? = nil) async throws -> RESP {
    try await connection().send(command, patience: patience)
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
