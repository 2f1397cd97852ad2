import FanoutCore
import TestFixtures

extension OracleCase {
  /// Operators whose closure throws at a 6.
  static let throwing: [OracleCase] = [
    OracleCase("tryMap") {
      $0.tryMap { try checked($0) * 2 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return Outcome(inputs.values.map { $0 * 2 }, inputs.end)
    },
    OracleCase("tryFilter") {
      $0.tryFilter { try checked($0) > 2 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return Outcome(inputs.values.filter { $0 > 2 }, inputs.end)
    },
    OracleCase("tryCompactMap") {
      $0.tryCompactMap { try checked($0) > 2 ? $0 : nil }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return Outcome(inputs.values.filter { $0 > 2 }, inputs.end)
    },
    OracleCase("tryScan") {
      $0.tryScan(3) { try $0 * 2 + checked($1) }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      let values = inputs.values
      return Outcome(values.indices.map { values[...$0].reduce(3) { $0 * 2 + $1 } }, inputs.end)
    },
    OracleCase("tryRemoveDuplicates") {
      $0.tryRemoveDuplicates { try $0 == checked($1) }
    } oracle: { inputs in
      // The first value is not compared with any other.
      var kept = Array(inputs.values.prefix(1))
      for value in inputs.values.dropFirst() {
        if value == 6 { return Outcome(kept, .failed) }
        if value != kept.last { kept.append(value) }
      }
      return Outcome(kept, inputs.end)
    },
    OracleCase("tryDrop(while:)") {
      $0.tryDrop { try checked($0) < 3 }
    } oracle: { inputs in
      let kept = Array(inputs.values.drop { $0 < 3 })
      return kept.first == 6 ? Outcome([], .failed) : Outcome(kept, inputs.end)
    },
    OracleCase("tryPrefix(while:)") {
      $0.tryPrefix { try checked($0) < 3 }
    } oracle: { inputs in
      let kept = Array(inputs.values.prefix { $0 < 3 })
      guard kept.count < inputs.values.count else { return Outcome(kept, inputs.end) }
      return Outcome(kept, inputs.values[kept.count] == 6 ? .failed : .finished)
    },
    OracleCase("tryFirst(where:)", .everything) {
      $0.tryFirst { try checked($0) > 3 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return .early(inputs.values.first { $0 > 3 }, inputs.end)
    },
    OracleCase("tryLast(where:)", .everything) {
      $0.tryLast { try checked($0) < 3 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return .atFinish(inputs.values.last { $0 < 3 }, inputs.end)
    },
    OracleCase("tryReduce", .everything) {
      $0.tryReduce(7) { try $0 * 3 + checked($1) }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return .atFinish(inputs.values.reduce(7) { $0 * 3 + $1 }, inputs.end)
    },
    OracleCase("tryContains(where:)", .everything) {
      $0.tryContains { try checked($0) > 3 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return .early(
        inputs.values.contains { $0 > 3 } ? true : nil, inputs.end, otherwise: false)
    },
    OracleCase("tryAllSatisfy", .everything) {
      $0.tryAllSatisfy { try checked($0) < 4 }
    } oracle: { inputs in
      let inputs = inputs.untilThrown()
      return .early(
        inputs.values.allSatisfy { $0 < 4 } ? nil : false, inputs.end, otherwise: true)
    },
    OracleCase("tryMax(by:)", .everything) {
      $0.tryMax { try checked($0) < checked($1) }
    } oracle: { inputs in
      // A single value is compared with no other.
      let inputs = inputs.values.count > 1 ? inputs.untilThrown() : inputs
      return .atFinish(inputs.values.max(), inputs.end)
    },
    OracleCase("tryMin(by:)", .everything) {
      $0.tryMin { try checked($0) < checked($1) }
    } oracle: { inputs in
      let inputs = inputs.values.count > 1 ? inputs.untilThrown() : inputs
      return .atFinish(inputs.values.min(), inputs.end)
    },
  ]

  private static func checked(_ value: Int) throws -> Int {
    if value == 6 { throw Broken() }
    return value
  }
}
