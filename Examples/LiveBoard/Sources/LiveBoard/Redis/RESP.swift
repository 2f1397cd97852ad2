import NIOCore

/// A reply of Redis, in version 2 of its protocol.
enum RESP: Hashable, Sendable {
  case string(String)
  case integer(Int64)
  case null
  case array([RESP])
  case error(String)

  var text: String? { if case .string(let text) = self { text } else { nil } }
  var items: [RESP]? { if case .array(let items) = self { items } else { nil } }
  var number: Int64? { if case .integer(let number) = self { number } else { nil } }
}

/// An error of Redis, or of the way to it.
enum RedisError: Error, Hashable, CustomStringConvertible {
  /// Redis has answered with an error.
  case refused(String)
  case unreachable(String)
  case closed
  case timeout
  case malformed(String)

  var description: String {
    switch self {
    case .refused(let text): "Redis says: \(text)"
    case .unreachable(let text): "Redis cannot be reached: \(text)"
    case .closed: "The connection to Redis is closed."
    case .timeout: "Redis does not answer."
    case .malformed(let text): "The reply of Redis cannot be read: \(text)"
    }
  }
}

/// Reads replies from the bytes of a connection.
struct RESPDecoder: ByteToMessageDecoder {
  typealias InboundOut = RESP

  /// The greatest reply that is read.
  private static let limit = 1 << 26

  mutating func decode(
    context: ChannelHandlerContext, buffer: inout ByteBuffer
  ) throws -> DecodingState {
    guard buffer.readableBytes <= Self.limit else { throw RedisError.malformed("too long") }
    var rest = buffer
    guard let value = try Self.read(&rest, depth: 0) else { return .needMoreData }
    buffer = rest
    context.fireChannelRead(wrapInboundOut(value))
    return .continue
  }

  mutating func decodeLast(
    context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
  ) throws -> DecodingState { .needMoreData }

  /// Reads a value; returns nil if it is not there as a whole.
  static func read(_ buffer: inout ByteBuffer, depth: Int) throws -> RESP? {
    guard depth < 8 else { throw RedisError.malformed("too deep") }
    guard let kind = buffer.readInteger(as: UInt8.self) else { return nil }
    guard "+-:$*".utf8.contains(kind) else { throw RedisError.malformed("it begins with \(kind)") }
    guard let line = readLine(&buffer) else { return nil }
    switch kind {
    case UInt8(ascii: "+"): return .string(line)
    case UInt8(ascii: "-"): return .error(line)
    case UInt8(ascii: ":"): return .integer(try number(line))
    case UInt8(ascii: "$"):
      let length = try number(line)
      guard length >= 0 else { return .null }
      guard length <= limit else { throw RedisError.malformed("too long") }
      guard buffer.readableBytes >= Int(length) + 2,
        let text = buffer.readString(length: Int(length))
      else { return nil }
      buffer.moveReaderIndex(forwardBy: 2)
      return .string(text)
    case UInt8(ascii: "*"):
      let count = try number(line)
      guard count >= 0 else { return .null }
      var items: [RESP] = []
      while items.count < count {
        guard let item = try read(&buffer, depth: depth + 1) else { return nil }
        items.append(item)
      }
      return .array(items)
    default: return nil
    }
  }

  private static func readLine(_ buffer: inout ByteBuffer) -> String? {
    let view = buffer.readableBytesView
    guard let end = view.firstIndex(of: UInt8(ascii: "\r")), view.index(after: end) < view.endIndex
    else { return nil }
    let line = buffer.readString(length: end - view.startIndex)
    buffer.moveReaderIndex(forwardBy: 2)
    return line
  }

  private static func number(_ line: String) throws -> Int64 {
    guard let number = Int64(line) else { throw RedisError.malformed("\(line) is no number") }
    return number
  }
}

extension ByteBuffer {
  /// Creates the bytes of a command.
  init(command: [String]) {
    self.init()
    writeString("*\(command.count)\r\n")
    for argument in command {
      writeString("$\(argument.utf8.count)\r\n")
      writeString(argument)
      writeString("\r\n")
    }
  }
}
