import Fanout
import FanoutTestSupport
import Testing

/// The policies of replay, each with what it promises.
///
/// `.last` is of two values, a keyframe is a multiple of three, and the custom cache has the last two
/// even values.
enum Policy: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case none, latest, all, last, sinceKeyframe, custom

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

  var promise: DeliveryContract.Promise {
    switch self {
    case .none: .nothing
    case .latest: .latest
    case .all: .all
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe { $0 % 3 == 0 }
    case .custom: .custom { $0.filter { $0 % 2 == 0 }.suffix(2) }
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
