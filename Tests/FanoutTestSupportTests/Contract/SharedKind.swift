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

  var promise: DeliveryPromise {
    switch self {
    case .passthrough: DeliveryPromise(.drops) { _ in [] }
    case .currentValue: DeliveryPromise(.newest, isForgottenAtEnd: true) { [$0.last ?? 0] }
    case .latest: DeliveryPromise(.newest) { $0.suffix(1) }
    case .all: DeliveryPromise(.lossless) { $0 }
    case .last: DeliveryPromise(.lossless) { $0.suffix(2) }
    case .sinceKeyframe:
      DeliveryPromise(.lossless) { values in
        Array(values[(values.lastIndex { $0.isMultiple(of: 2) } ?? 0)...])
      }
    case .custom: DeliveryPromise(.lossless) { $0.filter { $0.isMultiple(of: 2) } }
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
