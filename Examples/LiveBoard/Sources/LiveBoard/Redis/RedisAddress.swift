import Foundation

/// The address of a Redis server, with what it takes to be let in.
struct RedisAddress: Hashable, Sendable {
  let host: String
  let port: Int
  let database: Int
  /// Nil for the default user.
  let user: String?
  let password: String?

  static let form = "redis://[USER][:PASSWORD]@HOST[:PORT][/DATABASE]"

  /// Reads a URL.
  ///
  /// - Throws: An error that says what to pass. No part of the URL is in it: where that cannot be
  ///   parsed, any part may be one of a password.
  init(_ url: String) throws(Options.UsageError) {
    guard !url.lowercased().hasPrefix("rediss://") else {
      throw Options.UsageError(
        description: """
          --redis: rediss:// (TLS) is not supported. Pass redis:// with the address of a tunnel, \
          such as stunnel.
          """)
    }
    guard url.lowercased().hasPrefix("redis://") else { throw Self.error("it begins otherwise") }
    let rest = url.dropFirst("redis://".count)
    guard !rest.contains(where: { "?#".contains($0) }) else {
      throw Self.error("it has a query or a fragment")
    }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    database = try Self.database(parts.count > 1 ? parts[1] : "")
    var place = parts[0]
    if let at = place.lastIndex(of: "@") {
      (user, password) = try Self.account(place[..<at])
      place = place[place.index(after: at)...]
    } else {
      (user, password) = (nil, nil)
    }
    (host, port) = try Self.place(place)
  }

  private static func error(_ fault: String) -> Options.UsageError {
    Options.UsageError(
      description: """
        --redis: \(fault). Pass \(form), \
        with %2F for a / in a password, %40 for @, %3A for a colon.
        """)
  }

  private static func database(_ text: Substring) throws(Options.UsageError) -> Int {
    if text.isEmpty { return 0 }
    guard let number = number(text), number <= Int32.max else {
      throw error("the database is no number")
    }
    return number
  }

  private static func account(
    _ text: Substring
  ) throws(Options.UsageError) -> (user: String?, password: String?) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let user = parts[0].removingPercentEncoding,
      let password = (parts.count > 1 ? parts[1] : "").removingPercentEncoding
    else { throw error("the user or the password has a % that begins no character") }
    // A user may have no password; then Redis takes any.
    if user.isEmpty { return (nil, password.isEmpty ? nil : password) }
    return (user, password)
  }

  private static func place(
    _ text: Substring
  ) throws(Options.UsageError) -> (host: String, port: Int) {
    var (host, behind) = (text, Substring())
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { throw error("the host has no ]") }
      host = text[..<end].dropFirst()
      behind = text[end...].dropFirst()
      guard host.contains(":"), host.allSatisfy({ isOfName($0) || ":%".contains($0) }) else {
        throw error("the host in brackets is no IPv6 address")
      }
    } else {
      if let colon = text.firstIndex(of: ":") { (host, behind) = (text[..<colon], text[colon...]) }
      guard !host.isEmpty else { throw error("the host is missing") }
      guard host.allSatisfy(isOfName) else { throw error("the host is no name or address") }
    }
    if behind.isEmpty { return (String(host), 6_379) }
    guard behind.hasPrefix(":"), let port = number(behind.dropFirst()),
      (1...65_535).contains(port)
    else {
      throw error("the port is no number from 1 to 65535, or the host is IPv6 without [ and ]")
    }
    return (String(host), port)
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber) || "-._".contains(character)
  }

  private static func number(_ text: Substring) -> Int? {
    // `Int` would take a sign too.
    text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
  }
}

extension RedisAddress: CustomStringConvertible {
  /// The address without the user and the password.
  var description: String {
    "redis://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)"
  }
}
