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
  /// Redis does not let the service in, or not do what it asks for.
  case notAllowed(String)
  /// A key of the service holds what the service cannot have written.
  case foreign(key: String)
  /// No connection could be opened.
  case unreachable(String)
  /// The connection has ended before the whole command was sent.
  case notSent
  /// The connection has ended before the answer came.
  case lost(String)
  case timeout
  case malformed(String)

  /// Creates the error that an answer is.
  init(refusal text: String) {
    let code = text.prefix { $0 != " " }
    switch code {
    case "NOAUTH":
      self = .notAllowed("it asks for a password (NOAUTH). Pass --redis \(RedisAddress.form)")
    case "NOPERM": self = .notAllowed("the user of --redis may not do this: \(text)")
    case "FOREIGN": self = .foreign(key: String(text.dropFirst(code.count + 1)))
    default: self = .refused(text)
    }
  }

  /// Whether Redis may have done what it was asked for.
  var isOutcomeUnknown: Bool {
    switch self {
    case .lost, .timeout, .malformed: true
    case .refused, .notAllowed, .foreign, .unreachable, .notSent: false
    }
  }

  var description: String {
    switch self {
    case .refused(let text): "Redis says: \(text)"
    case .notAllowed(let text): "Redis does not let this service in: \(text)."
    case .foreign(let key): "\(key) in Redis holds what this service has not written."
    case .unreachable(let text): "Redis cannot be reached: \(text)"
    case .notSent: "The connection to Redis has ended, and the command was not sent."
    case .lost(let text): "The connection to Redis has ended without an answer: \(text)"
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
