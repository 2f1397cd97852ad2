import FanoutCore
import TestFixtures

extension OracleCase {
  static let all = changing + leavingOut + selecting + reducing + throwing + replacing

  /// Operators that make an output of each value.
  private static let changing: [OracleCase] = [
    OracleCase("map") {
      $0.map { $0 * 2 }
    } oracle: {
      Outcome($0.values.map { $0 * 2 }, $0.end)
    },
    OracleCase("map, one key path") {
      $0.map(\.magnitude)
    } oracle: {
      Outcome($0.values.map(\.magnitude), $0.end)
    },
    OracleCase("map, two key paths") {
      $0.map(\.self, \.bitWidth).map { [$0, $1] }
    } oracle: {
      Outcome($0.values.map { [$0, $0.bitWidth] }, $0.end)
    },
    OracleCase("map, three key paths") {
      $0.map(\.self, \.bitWidth, \.leadingZeroBitCount).map { [$0, $1, $2] }
    } oracle: {
      Outcome($0.values.map { [$0, $0.bitWidth, $0.leadingZeroBitCount] }, $0.end)
    },
    OracleCase("scan") {
      $0.scan(3) { $0 * 2 + $1 }
    } oracle: { inputs in
      Outcome(
        inputs.values.indices.map { inputs.values[...$0].reduce(3) { $0 * 2 + $1 } }, inputs.end)
    },
    OracleCase("mapError") {
      $0.mapError { NumberedError($0 == Broken() ? 1 : 2) }
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("handleEvents") {
      $0.handleEvents(receiveOutput: { _ in })
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("handleEvents, of requests") {
      $0.handleEvents(receiveRequest: { _ in })
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("print") {
      $0.print(to: NoStream())
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("breakpoint") {
      $0.breakpoint(receiveOutput: { $0 < 0 })
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("breakpointOnError, of a finish") {
      $0.replaceError(with: 9).breakpointOnError()
    } oracle: { inputs in
      Outcome(inputs.values + (inputs.end == .failed ? [9] : []), inputs.end.map { _ in .finished })
    },
    OracleCase("assertNoFailure") {
      $0.replaceError(with: 9).assertNoFailure()
    } oracle: { inputs in
      Outcome(inputs.values + (inputs.end == .failed ? [9] : []), inputs.end.map { _ in .finished })
    },
    OracleCase("decode") {
      $0.map { "\($0)" }.decode(type: Int.self, decoder: TextCoder())
    } oracle: {
      Outcome($0.values, $0.end)
    },
    OracleCase("decode, with an error") {
      $0.map { $0 == 6 ? "six" : "\($0)" }.decode(type: Int.self, decoder: TextCoder())
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return Outcome(inputs.values, inputs.end)
    },
    OracleCase("encode") {
      $0.encode(encoder: TextCoder())
    } oracle: {
      Outcome($0.values.map { "\($0)" }, $0.end)
    },
  ]

  /// Operators that leave values out.
  private static let leavingOut: [OracleCase] = [
    OracleCase("filter") {
      $0.filter { $0 > 2 }
    } oracle: {
      Outcome($0.values.filter { $0 > 2 }, $0.end)
    },
    OracleCase("compactMap") {
      $0.compactMap { $0 > 2 ? $0 + 1 : nil }
    } oracle: {
      Outcome($0.values.compactMap { $0 > 2 ? $0 + 1 : nil }, $0.end)
    },
    OracleCase("removeDuplicates") {
      $0.removeDuplicates()
    } oracle: {
      Outcome(distinct($0.values, ==), $0.end)
    },
    OracleCase("removeDuplicates(by:)") {
      $0.removeDuplicates { $0 % 3 == $1 % 3 }
    } oracle: {
      Outcome(distinct($0.values) { $0 % 3 == $1 % 3 }, $0.end)
    },
    OracleCase("dropFirst", .more(2)) {
      $0.dropFirst(2)
    } oracle: {
      Outcome(Array($0.values.dropFirst(2)), $0.end)
    },
    OracleCase("drop(while:)") {
      $0.drop { $0 < 3 }
    } oracle: {
      Outcome(Array($0.values.drop { $0 < 3 }), $0.end)
    },
    OracleCase("ignoreOutput", .everything) {
      $0.ignoreOutput()
    } oracle: {
      Outcome([], $0.end)
    },
  ]

  /// Operators that end before their upstream does.
  private static let selecting: [OracleCase] = [
    OracleCase("prefix") {
      $0.prefix(3)
    } oracle: {
      slice($0, 0..<3)
    },
    OracleCase("output(at:)") {
      $0.output(at: 2)
    } oracle: {
      slice($0, 2..<3)
    },
    OracleCase("output(in:)") {
      $0.output(in: 1..<4)
    } oracle: {
      slice($0, 1..<4)
    },
    OracleCase("output(in:), without end") {
      $0.output(in: 2...)
    } oracle: {
      Outcome(Array($0.values.dropFirst(2)), $0.end)
    },
    OracleCase("prefix(while:)") {
      $0.prefix { $0 < 3 }
    } oracle: { inputs in
      let values = Array(inputs.values.prefix { $0 < 3 })
      return Outcome(values, values.count < inputs.values.count ? .finished : inputs.end)
    },
    OracleCase("first", .everything) {
      $0.first()
    } oracle: {
      .early($0.values.first, $0.end)
    },
    OracleCase("first(where:)", .everything) {
      $0.first { $0 > 3 }
    } oracle: {
      .early($0.values.first { $0 > 3 }, $0.end)
    },
    OracleCase("contains", .everything) {
      $0.contains(4)
    } oracle: {
      .early($0.values.contains(4) ? true : nil, $0.end, otherwise: false)
    },
    OracleCase("contains(where:)", .everything) {
      $0.contains { $0 > 3 }
    } oracle: {
      .early($0.values.contains { $0 > 3 } ? true : nil, $0.end, otherwise: false)
    },
    OracleCase("allSatisfy", .everything) {
      $0.allSatisfy { $0 < 4 }
    } oracle: {
      .early($0.values.allSatisfy { $0 < 4 } ? nil : false, $0.end, otherwise: true)
    },
  ]

  /// Operators that deliver a result when the upstream has finished.
  private static let reducing: [OracleCase] = [
    OracleCase("last", .everything) {
      $0.last()
    } oracle: {
      .atFinish($0.values.last, $0.end)
    },
    OracleCase("last(where:)", .everything) {
      $0.last { $0 < 3 }
    } oracle: {
      .atFinish($0.values.last { $0 < 3 }, $0.end)
    },
    OracleCase("reduce", .everything) {
      $0.reduce(7) { $0 * 3 + $1 }
    } oracle: {
      .atFinish($0.values.reduce(7) { $0 * 3 + $1 }, $0.end)
    },
    OracleCase("count", .everything) {
      $0.count()
    } oracle: {
      .atFinish($0.values.count, $0.end)
    },
    OracleCase("max", .everything) {
      $0.max()
    } oracle: {
      .atFinish($0.values.max(), $0.end)
    },
    OracleCase("min", .everything) {
      $0.min()
    } oracle: {
      .atFinish($0.values.min(), $0.end)
    },
    OracleCase("max(by:)", .everything) {
      $0.max { $0 % 3 < $1 % 3 }
    } oracle: {
      .atFinish(greatest($0.values) { $0 % 3 < $1 % 3 }, $0.end)
    },
    OracleCase("min(by:)", .everything) {
      $0.min { $0 % 3 < $1 % 3 }
    } oracle: {
      .atFinish(greatest($0.values) { $0 % 3 > $1 % 3 }, $0.end)
    },
    OracleCase("collect", .everything) {
      $0.collect()
    } oracle: {
      .atFinish($0.values, $0.end)
    },
    OracleCase("collect, by three", .times(3)) {
      $0.collect(3)
    } oracle: {
      groups($0, of: 3)
    },
    OracleCase("collect, by one", .times(1)) {
      $0.collect(1)
    } oracle: {
      groups($0, of: 1)
    },
  ]

  /// Operators that put a value in the place of something.
  private static let replacing: [OracleCase] = [
    OracleCase("replaceNil") {
      $0.map { $0 > 2 ? $0 : nil }.replaceNil(with: 9)
    } oracle: {
      Outcome($0.values.map { $0 > 2 ? $0 : 9 }, $0.end)
    },
    OracleCase("replaceEmpty") {
      $0.replaceEmpty(with: 9)
    } oracle: { inputs in
      let isEmpty = inputs.values.isEmpty && inputs.end == .finished
      return Outcome(isEmpty ? [9] : inputs.values, inputs.end)
    },
    OracleCase("replaceEmpty, behind a filter") {
      $0.filter { $0 > 4 }.replaceEmpty(with: 9)
    } oracle: { inputs in
      let values = inputs.values.filter { $0 > 4 }
      return Outcome(values.isEmpty && inputs.end == .finished ? [9] : values, inputs.end)
    },
    OracleCase("replaceError") {
      $0.replaceError(with: 9)
    } oracle: { inputs in
      Outcome(inputs.values + (inputs.end == .failed ? [9] : []), inputs.end.map { _ in .finished })
    },
  ]

  /// Returns the values without those that equal the one before.
  private static func distinct(_ values: [Int], _ isEqual: (Int, Int) -> Bool) -> [Int] {
    values.reduce(into: []) { kept, value in
      if let last = kept.last, isEqual(last, value) { return }
      kept.append(value)
    }
  }

  private static func slice(_ inputs: Inputs, _ range: Range<Int>) -> Outcome<Int> {
    let values = Array(inputs.values.prefix(range.upperBound).dropFirst(range.lowerBound))
    return Outcome(values, inputs.values.count >= range.upperBound ? .finished : inputs.end)
  }

  /// Returns the first of the values that no other exceeds.
  private static func greatest(_ values: [Int], _ isLess: (Int, Int) -> Bool) -> Int? {
    values.first { value in !values.contains { isLess(value, $0) } }
  }

  private static func groups(_ inputs: Inputs, of count: Int) -> Outcome<[Int]> {
    let (values, end) = (inputs.values, inputs.end)
    let all = stride(from: 0, to: values.count, by: count).map {
      Array(values[$0...].prefix(count))
    }
    return Outcome(all.filter { $0.count == count || end == .finished }, end)
  }
}

/// A coder of numbers and texts.
private struct TextCoder: TopLevelDecoder, TopLevelEncoder {
  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let number = Int(text) as? T else { throw Broken() }
    return number
  }

  func encode<T: Encodable>(_ value: T) throws -> String { "\(value)" }
}
