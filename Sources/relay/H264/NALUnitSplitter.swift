/// A splitter that cuts an Annex B byte stream into units, however the stream is divided into
/// pieces.
///
/// Nothing is lost: the units' bytes in a row are the stream from its first start code on.
struct NALUnitSplitter {
  /// The number of bytes left out before the first start code.
  private(set) var skippedCount = 0
  private(set) var hasStartCode = false

  private var buffer: [UInt8] = []
  private var unitStart = 0
  private var contentStart = 0
  private var searched = 0
  private var isEnded = false

  /// Appends the next piece of the stream.
  mutating func append(_ piece: some Collection<UInt8>) {
    if unitStart > 0 {
      buffer.removeFirst(unitStart)
      contentStart -= unitStart
      searched -= unitStart
      unitStart = 0
    }
    buffer.append(contentsOf: piece)
  }

  /// Ends the stream: the remaining bytes are the last unit.
  mutating func end() { isEnded = true }

  /// Returns the next whole unit, or `nil` if it needs more of the stream.
  mutating func next() -> NALUnit? {
    while let startCode = nextStartCode() {
      // Zeros before a start code belong to no unit's content, so they count as part of the start
      // code.
      var zeros = startCode
      while zeros > contentStart, buffer[zeros - 1] == 0 { zeros -= 1 }
      let unit = hasStartCode ? take(upTo: zeros) : nil
      if !hasStartCode { skippedCount += zeros }
      hasStartCode = true
      unitStart = zeros
      contentStart = startCode + 3
      searched = contentStart
      if let unit, !unit.content.isEmpty { return unit }
    }
    return isEnded ? lastUnit() : nil
  }

  private mutating func nextStartCode() -> Int? {
    // A start code ends in 1, which is rare in coded video; the zeros before it are checked then.
    while let one = firstIndex(of: 1, in: buffer, from: searched + 2) {
      if buffer[one - 1] == 0, buffer[one - 2] == 0 { return one - 2 }
      searched = one - 1
    }
    searched = max(searched, buffer.count - 2)
    if !hasStartCode { forgetAllButLastZeros() }
    return nil
  }

  /// Bounds the memory before the first start code: only the last zeros can be part of one.
  private mutating func forgetAllButLastZeros() {
    let kept = buffer.suffix(3).reversed().prefix { $0 == 0 }.count
    skippedCount += buffer.count - kept
    buffer.removeFirst(buffer.count - kept)
    searched = 0
  }

  private mutating func lastUnit() -> NALUnit? {
    guard hasStartCode, unitStart < buffer.count else { return nil }
    let unit = take(upTo: buffer.count)
    unitStart = buffer.count
    contentStart = buffer.count
    searched = buffer.count
    return unit
  }

  private func take(upTo end: Int) -> NALUnit {
    NALUnit(bytes: Array(buffer[unitStart..<end]), startCodeLength: contentStart - unitStart)
  }
}
