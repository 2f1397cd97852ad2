internal import Fanout
package import FanoutContract

/// The kinds of sharing that crowds of threads exercise, with the promise of each to a new
/// subscriber.
package enum SharedKind: String, CaseIterable, Sendable {
  case passthrough, currentValue, latest, all, last, sinceKeyframe, custom

  package func make() -> SharedStage.NumberSubject {
    switch self {
    case .passthrough: PassthroughSubject()
    case .currentValue: CurrentValueSubject(0)
    case .latest: ReplaySubject(.latest)
    case .all: ReplaySubject(.all)
    case .last: ReplaySubject(.last(2))
    case .sinceKeyframe: ReplaySubject(.sinceKeyframe { $0.isMultiple(of: 2) })
    case .custom: ReplaySubject(.custom { EvenNumbers() })
    }
  }

  package var promise: DeliveryContract.Promise {
    switch self {
    case .passthrough: .nothing
    case .currentValue: .currentValue(0)
    case .latest: .latest
    case .all: .all
    case .last: .last(2)
    case .sinceKeyframe: .sinceKeyframe { $0.isMultiple(of: 2) }
    case .custom: .custom { $0.filter { $0.isMultiple(of: 2) } }
    }
  }

  package func stage(before: [Int] = [], senders: [[Int]]) -> SharedStage {
    SharedStage(make(), promise: promise, before: before, senders: senders)
  }
}

package struct EvenNumbers: ReplayCache {
  package private(set) var contents: [Int] = []

  package mutating func record(_ value: Int) {
    if value.isMultiple(of: 2) { contents.append(value) }
  }
}
