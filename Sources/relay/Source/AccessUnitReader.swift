/// A reader of a file's access units, with no more than a piece and a picture of it in memory.
struct AccessUnitReader {
  private let path: String
  private let file: ByteFile
  private let pieceSize: Int
  private var splitter = NALUnitSplitter()
  private var assembler = AccessUnitAssembler()
  private var readCount = 0
  private var unitCount = 0
  private var isAtEnd = false

  init(path: String, pieceSize: Int, completesKeyframes: Bool = true) throws(RelayError) {
    assembler.completesKeyframes = completesKeyframes
    self.path = path
    self.pieceSize = pieceSize
    file = try ByteFile(path: path)
  }

  /// Remarks about the file so far, a line each.
  var remarks: [String] {
    var remarks: [String] = []
    if splitter.skippedCount > 0 {
      remarks.append(
        "before the first start code, \(counted(splitter.skippedCount, "byte")) left out")
    }
    if assembler.damagedCount > 0 {
      remarks.append("\(counted(assembler.damagedCount, "damaged unit")) left out")
    }
    if let reason = assembler.incompleteness {
      remarks.append("the last access unit is incomplete: \(reason); the rest is relayed")
    }
    return remarks
  }

  /// Returns the next access unit, or `nil` at the end of a file that had at least one.
  mutating func next() throws(RelayError) -> AccessUnit? {
    while true {
      if let unit = splitter.next() {
        if let finished = assembler.append(unit) { return count(finished) }
      } else if !isAtEnd {
        try readPiece()
      } else if let last = assembler.finish() {
        return count(last)
      } else {
        guard unitCount > 0 else { throw nothingFound }
        return nil
      }
    }
  }

  private mutating func readPiece() throws(RelayError) {
    let piece = try file.read(upTo: pieceSize)
    if readCount == 0, let format = ForeignFormat(startingWith: piece) {
      throw .foreign(path, format)
    }
    readCount += piece.count
    if piece.isEmpty {
      isAtEnd = true
      splitter.end()
    } else {
      splitter.append(piece)
    }
  }

  private mutating func count(_ unit: AccessUnit) -> AccessUnit {
    unitCount += 1
    return unit
  }

  private var nothingFound: RelayError {
    if readCount == 0 { return .empty(path) }
    return splitter.hasStartCode ? .noPicture(path) : .noStartCode(path)
  }
}
