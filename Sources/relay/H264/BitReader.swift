/// A reader of the codes in a unit's payload, bit by bit, that skips the bytes against false start
/// codes.
struct BitReader {
  private var bytes: ArraySlice<UInt8>
  private var current: UInt8 = 0
  private var bitsLeft = 0
  private var zeros = 0

  init(_ payload: ArraySlice<UInt8>) { bytes = payload }

  /// Returns the next bit, or `nil` at the end.
  mutating func bit() -> Int? {
    if bitsLeft == 0 {
      if zeros >= 2, bytes.first == 3 {
        bytes.removeFirst()
        zeros = 0
      }
      guard let byte = bytes.popFirst() else { return nil }
      zeros = byte == 0 ? zeros + 1 : 0
      current = byte
      bitsLeft = 8
    }
    bitsLeft -= 1
    return Int(current >> UInt8(bitsLeft)) & 1
  }

  /// Returns the next unsigned Exp-Golomb code, ue(v), or `nil` if it is cut short or longer than
  /// 32 bits.
  mutating func exponentialGolomb() -> Int? {
    var length = 0
    while true {
      guard let bit = bit(), length < 32 else { return nil }
      if bit == 1 { break }
      length += 1
    }
    var value = 1
    for _ in 0..<length {
      guard let bit = bit() else { return nil }
      value = value << 1 | bit
    }
    return value - 1
  }
}
