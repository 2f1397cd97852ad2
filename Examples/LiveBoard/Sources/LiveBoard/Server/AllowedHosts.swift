import HTTPTypes
import Hummingbird
import NIOCore

/// Refuses requests for another host than this service's.
///
/// A page of another site can have that site's name lead to this service (DNS rebinding). Then the browser takes both
/// for one origin, but still sends the site's name as `Host`.
struct AllowedHosts: RouterMiddleware {
  private let names: Set<String>

  /// Creates the middleware with the names of the service beside those of this device.
  init(_ names: [String]) {
    let known = ["localhost", "127.0.0.1", "[::1]"] + names
    self.names = Set(known.compactMap(Self.name(in:)))
  }

  func handle(
    _ request: Request, context: BoardContext,
    next: (Request, BoardContext) async throws -> Response
  ) async throws -> Response {
    // The first one is the authority. A proxy in front may have checked another.
    guard request.headers[.host] == nil else {
      throw BoardError(.badRequest, "The request has more than one Host. Send one.")
    }
    let host = request.head.authority ?? ""
    guard let name = Self.name(in: host), names.contains(name) || name == context.localName else {
      throw BoardError(
        .misdirectedRequest,
        "This service is not at \(BoardError.quoted(host)). If it is, start it with --allow-host."
      )
    }
    return try await next(request, context)
  }

  /// Returns the name or address in `NAME:PORT` or `NAME`, in small letters, or nil if the text is something else.
  ///
  /// An address of IP version 6 stands in brackets.
  static func name(in host: String) -> String? {
    let host = host.lowercased()
    let isBracketed = host.hasPrefix("[")
    let end =
      isBracketed
      ? host.firstIndex(of: "]").map(host.index(after:))
      : host.firstIndex(of: ":") ?? host.endIndex
    guard let end else { return nil }
    let (name, rest) = (host[..<end], host[end...])
    let letters = isBracketed ? name.dropFirst().dropLast() : name
    guard !letters.isEmpty,
      letters.utf8.allSatisfy({ isLetter($0) || isBracketed && $0 == UInt8(ascii: ":") }),
      rest.isEmpty || (rest.count > 1 && rest.dropFirst().allSatisfy(\.isWholeNumber)),
      rest.isEmpty || rest.hasPrefix(":")
    else { return nil }
    return String(name)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}

extension SocketAddress {
  /// The address as `Host` has it, without the port, or nil if it is none of IP.
  var hostName: String? {
    guard let ipAddress else { return nil }
    let mapped = "::ffff:"
    if ipAddress.hasPrefix(mapped), ipAddress.contains(".") {
      return String(ipAddress.dropFirst(mapped.count))
    }
    return ipAddress.contains(":") ? "[\(ipAddress)]" : ipAddress
  }
}

extension HTTPField.Name {
  static let host = HTTPField.Name("Host") ?? .eTag
}
