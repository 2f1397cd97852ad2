import Fanout
import Testing

/// The policies of replay, for tests of what they have in common.
///
/// `.last` is of two values, a keyframe is a multiple of three, and the custom cache has the last two
/// even values.
enum Policy: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case none, latest, all, last, sinceKeyframe, custom

  static let lossless: [Policy] = [.all, .last, .sinceKeyframe, .custom]
  static let remembering: [Policy] = [.latest] + lossless

  /// The policy for numbers.
  var replay: Replay<Int> { replay { $0 } }

  /// The policy for anything that has a number.
  func replay<Value>(_ number: @escaping @Sendable (Value) -> Int) -> Replay<Value> {
    switch self {
    case .none: Replay.none
    case .latest: .latest
    case .all: .all
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe { number($0) % 3 == 0 }
    case .custom: .custom { LastEvens(number: number) }
    }
  }

  /// What a newcomer is given after these values: the policy in one line each.
  func remembered(of values: [Int]) -> [Int] {
    switch self {
    case .none: []
    case .latest: values.suffix(1)
    case .all: values
    case .last: values.suffix(2)
    case .sinceKeyframe: Array(values[(values.lastIndex { $0 % 3 == 0 } ?? 0)...])
    case .custom: values.filter { $0 % 2 == 0 }.suffix(2)
    }
  }

  var testDescription: String { rawValue }
}

/// A cache of one's own: what it gives is not a part of what came.
struct LastEvens<Value>: ReplayCache {
  let number: @Sendable (Value) -> Int
  var contents: [Value] = []

  init(number: @escaping @Sendable (Value) -> Int) { self.number = number }

  mutating func record(_ value: Value) {
    guard number(value) % 2 == 0 else { return }
    contents.append(value)
    if contents.count > 2 { contents.removeFirst() }
  }
}
