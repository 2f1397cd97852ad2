package import Fanout
package import FanoutContract
package import FanoutEngine
internal import Testing

/// The policies of replay, for tests of their common behaviour.
///
/// `.last` is of two values, a keyframe is a multiple of three, and the custom cache retains the
/// last two even values.
package enum Policy: String, CaseIterable, CustomTestStringConvertible, Sendable {
  case none, latest, all, last, sinceKeyframe, custom

  package static let lossless: [Policy] = [.all, .last, .sinceKeyframe, .custom]
  /// The policies that replay a contiguous part of the newest values, out of the log.
  package static let contiguous: [Policy] = [.none, .latest, .all, .last, .sinceKeyframe]
  package static let remembering: [Policy] = [.latest] + lossless

  /// The policy for numbers.
  package var replay: Replay<Int> { replay { $0 } }

  /// Returns the policy for values that have a number.
  package func replay<Value>(_ number: @escaping @Sendable (Value) -> Int) -> Replay<Value> {
    switch self {
    case .none: Replay.none
    case .latest: .latest
    case .all: .all
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe { Self.isKeyframe(number($0)) }
    case .custom: .custom { LastEvens(number: number) }
    }
  }

  /// Returns the same for a hub, for tests of the engine without the publishers above it.
  package func retention<Value>(
    _ number: @escaping @Sendable (Value) -> Int
  ) -> RetentionPolicy<Value> {
    switch self {
    case .none: .nothing
    case .latest: .newest(overtakenByEnd: false)
    case .all: .everything
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe(KeyframeRules { Self.isKeyframe(number($0)) })
    case .custom:
      .custom {
        var cache = LastEvens(number: number)
        return CustomCache(record: { cache.record($0) }, contents: { cache.contents })
      }
    }
  }

  /// The contract's promise.
  package var promise: DeliveryContract.Promise {
    switch self {
    case .none: .nothing
    case .latest: .latest
    case .all: .all
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe(where: Self.isKeyframe)
    case .custom: .custom { self.remembered(of: $0) }
    }
  }

  package static func isKeyframe(_ number: Int) -> Bool { number % 3 == 0 }

  /// Returns the values replayed to a new subscriber after these values: the policy in one line
  /// each.
  package func remembered(of values: [Int]) -> [Int] {
    switch self {
    case .none: []
    case .latest: values.suffix(1)
    case .all: values
    case .last: values.suffix(2)
    case .sinceKeyframe: Array(values[(values.lastIndex(where: Self.isKeyframe) ?? 0)...])
    case .custom: values.filter { $0 % 2 == 0 }.suffix(2)
    }
  }

  package var testDescription: String { rawValue }
}

/// A user's cache, whose contents are not a contiguous part of the values.
package struct LastEvens<Value>: ReplayCache {
  let number: @Sendable (Value) -> Int
  package private(set) var contents: [Value] = []

  package init(number: @escaping @Sendable (Value) -> Int) { self.number = number }

  package mutating func record(_ value: Value) {
    guard number(value) % 2 == 0 else { return }
    contents.append(value)
    if contents.count > 2 { contents.removeFirst() }
  }
}
