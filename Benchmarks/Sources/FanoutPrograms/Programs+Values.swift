import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

extension Programs {
  /// Operators that change or choose values, one at a time.
  @OperatorProgramList
  package static var values: [OperatorProgram] {
    one("map") { $0.map { $0 &+ 1 } }
    one("map(key path)") { $0.map(\.nonzeroBitCount) }
    one("tryMap") { $0.tryMap { try checked($0) } }
    one("compactMap") { $0.compactMap { $0 & 1 == 0 ? $0 : nil } }
    one("tryCompactMap") { $0.tryCompactMap { try checked($0) & 1 == 0 ? $0 : nil } }
    one("filter") { $0.filter { $0 & 1 == 0 } }
    one("tryFilter") { $0.tryFilter { try checked($0) & 1 == 0 } }
    one("scan") { $0.scan(0) { $0 &+ $1 } }
    one("tryScan") { $0.tryScan(0) { $0 &+ (try checked($1)) } }
    one("removeDuplicates") { $0.removeDuplicates() }
    one("removeDuplicates(by:)") { $0.removeDuplicates { $0 / 2 == $1 / 2 } }
    one("tryRemoveDuplicates(by:)") { $0.tryRemoveDuplicates { try checked($0) / 2 == $1 / 2 } }
    one("replaceNil") { $0.map { $0 & 1 == 0 ? $0 : nil }.replaceNil(with: 0) }
    one("replaceEmpty") { $0.replaceEmpty(with: 0) }
    one("dropFirst") { $0.dropFirst(1) }
    one("drop(while:)") { $0.drop { $0 < 1 } }
    one("tryDrop(while:)") { $0.tryDrop { try checked($0) < 1 } }
    one("prefix") { $0.prefix(.max) }
    one("prefix(while:)") { $0.prefix { $0 >= 0 } }
    one("tryPrefix(while:)") { $0.tryPrefix { try checked($0) >= 0 } }
    one("first(where:)") { $0.first { $0 < 0 } }
    one("tryFirst(where:)") { $0.tryFirst { try checked($0) < 0 } }
    one("last") { $0.last() }
    one("last(where:)") { $0.last { $0 & 1 == 0 } }
    one("tryLast(where:)") { $0.tryLast { try checked($0) & 1 == 0 } }
    one("output(in:)") { $0.output(in: 1...) }
    one("output(at:)") { $0.output(at: 1_000_000_000) }
    one("ignoreOutput") { $0.ignoreOutput() }
    one("collect(2)") { $0.collect(2) }
    one("decode") { $0.decode(type: Int.self, decoder: Passing()) }
    one("encode") { $0.encode(encoder: Passing()) }
    one("breakpoint") { $0.breakpoint(receiveOutput: { $0 < -1 }) }
    one("handleEvents") { $0.handleEvents(receiveOutput: { precondition($0 >= -1) }) }
    one("print") { $0.print("", to: Nowhere()) }
  }
}

/// A stream that forgets what is written to it.
struct Nowhere: TextOutputStream {
  func write(_ text: String) {}
}

/// A coder whose input and output are the numbers themselves.
struct Passing: TopLevelDecoder, TopLevelEncoder {
  func decode<Value: Decodable>(_ type: Value.Type, from number: Int) throws -> Value {
    guard let value = number as? Value else { throw Mishap() }
    return value
  }

  func encode<Value: Encodable>(_ value: Value) throws -> Int {
    guard let number = value as? Int else { throw Mishap() }
    return number
  }
}
