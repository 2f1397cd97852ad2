@testable import relay

/// All units of a stream that comes in these pieces.
func units(of pieces: [some Collection<UInt8>]) -> [NALUnit] {
  var splitter = NALUnitSplitter()
  var units: [NALUnit] = []
  for piece in pieces {
    splitter.append(piece)
    while let unit = splitter.next() { units.append(unit) }
  }
  splitter.end()
  while let unit = splitter.next() { units.append(unit) }
  return units
}

/// All access units of a stream, and why the last one was left out, if it was.
func accessUnits(of stream: Stream) -> (units: [AccessUnit], incompleteness: String?) {
  var assembler = AccessUnitAssembler()
  var result = units(of: [stream.bytes]).compactMap { assembler.append($0) }
  if let last = assembler.finish() { result.append(last) }
  return (result, assembler.incompleteness)
}

/// The bytes of the sample.
func sampleBytes() throws -> [UInt8] { try bytes(at: SampleFile.path) }

/// The bytes of a file.
func bytes(at path: String) throws -> [UInt8] {
  let file = try ByteFile(path: path)
  var bytes: [UInt8] = []
  while true {
    let piece = try file.read(upTo: 65_536)
    if piece.isEmpty { return bytes }
    bytes += piece
  }
}
