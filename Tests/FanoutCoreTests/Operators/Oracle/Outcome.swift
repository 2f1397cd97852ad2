/// How values end.
enum End: Equatable, Sendable {
  case finished
  case failed
}

/// The values that an array function makes of an upstream's values so far, and the end behind them.
struct Outcome<Value: Equatable>: Equatable {
  let values: [Value]
  let end: End?

  init(_ values: [Value], _ end: End?) {
    self.values = values
    self.end = end
  }

  /// The outcome of an operator that delivers one value, its result, when the upstream has finished.
  static func atFinish(_ value: Value?, _ end: End?) -> Outcome {
    Outcome(end == .finished ? value.map { [$0] } ?? [] : [], end)
  }

  /// The outcome of an operator that finishes with a value as soon as it has one.
  static func early(_ value: Value?, _ end: End?, otherwise last: Value? = nil) -> Outcome {
    value.map { Outcome([$0], .finished) } ?? atFinish(last, end)
  }
}

extension Outcome: Sendable where Value: Sendable {}

/// The values of an upstream so far, and its end.
struct Inputs: Sendable {
  var values: [Int] = []
  var end: End?

  /// The values in front of the first one for which a closure throws, which is then the end.
  func untilThrown(_ bad: (Int) -> Bool = { $0 == 6 }) -> Inputs {
    guard let place = values.firstIndex(where: bad) else { return self }
    return Inputs(values: Array(values[..<place]), end: .failed)
  }
}
