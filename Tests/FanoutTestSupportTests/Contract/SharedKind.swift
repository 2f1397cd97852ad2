import Fanout
import FanoutTestSupport

/// The kinds of sharing that threads are let loose on, with what each promises a newcomer.
enum SharedKind: String, CaseIterable, Sendable {
  case passthrough, currentValue, latest, all, last, sinceKeyframe, custom

  func make() -> SharedStage.NumberSubject {
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

  var promise: DeliveryContract.Promise {
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

  func stage(before: [Int] = [], senders: [[Int]]) -> SharedStage {
    SharedStage(make(), promise: promise, before: before, senders: senders)
  }
}

struct EvenNumbers: ReplayCache {
  var contents: [Int] = []

  mutating func record(_ value: Int) {
    if value.isMultiple(of: 2) { contents.append(value) }
  }
}
