import Foundation

/// The answer of a server that speaks WebSocket (RFC 6455), as far as the recipe needs it.
enum WebSocketServer {
  /// The header that accepts a client's key.
  static func accepted(_ key: String) -> String {
    Data(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }

  /// The head of the answer to a client's request.
  static func answer(to head: String) -> String? {
    let key = head.split(separator: "\r\n").lazy
      .map { $0.split(separator: ":", maxSplits: 1) }
      .first { $0[0].lowercased() == "sec-websocket-key" }?.last
    guard let key = key?.trimmingCharacters(in: .whitespaces) else { return nil }
    return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accepted(key))\r\n\r\n"
  }

  /// The frame of a text of at most 125 bytes.
  static func frame(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    precondition(bytes.count < 126, "A longer frame needs another head.")
    return [0x81, UInt8(bytes.count)] + bytes
  }

  /// Returns the digest of FIPS 180-4, section 6.1.
  static func sha1(_ message: [UInt8]) -> [UInt8] {
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: UInt64(message.count * 8) >> UInt64(shift)))
    }
    for start in stride(from: 0, to: padded.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(padded[start + 4 * word + $1]) }
      }
      for word in 16..<80 {
        words.append(
          rotate(words[word - 3] ^ words[word - 8] ^ words[word - 14] ^ words[word - 16], by: 1))
      }
      let mixed = words.indices.reduce(hash) { step($0, words[$1], round: $1) }
      for index in 0..<5 { hash[index] &+= mixed[index] }
    }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  private static func step(_ hash: [UInt32], _ word: UInt32, round: Int) -> [UInt32] {
    let (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
    let (mixed, constant): (UInt32, UInt32) =
      switch round / 20 {
      case 0: (b & c | ~b & d, 0x5A82_7999)
      case 1: (b ^ c ^ d, 0x6ED9_EBA1)
      case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
      default: (b ^ c ^ d, 0xCA62_C1D6)
      }
    return [rotate(a, by: 5) &+ mixed &+ e &+ constant &+ word, a, rotate(b, by: 30), c, d]
  }

  private static func rotate(_ word: UInt32, by count: UInt32) -> UInt32 {
    word << count | word >> (32 - count)
  }
}
