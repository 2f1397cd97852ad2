internal import Fanout
package import FanoutContract
internal import Testing

/// The kinds of subjects that crowds of threads exercise, with the promise of each to a new subscriber.
package enum SharedKind: CaseIterable, CustomTestStringConvertible, Sendable {
  case passthrough, currentValue
  case replay(Policy)

  package static let allCases = [.passthrough, .currentValue] + Policy.remembering.map(replay)

  package func make() -> SharedStage.NumberSubject {
    switch self {
    case .passthrough: PassthroughSubject()
    case .currentValue: CurrentValueSubject(0)
    case .replay(let policy): ReplaySubject(policy.replay)
    }
  }

  package var promise: DeliveryContract.Promise {
    switch self {
    case .passthrough: .nothing
    case .currentValue: .currentValue(0)
    case .replay(let policy): policy.promise
    }
  }

  package func stage(
    before: [Int] = [], senders: [[Int]], attachesSinks: Bool = false
  ) -> SharedStage {
    SharedStage(
      make(), promise: promise, before: before, senders: senders, attachesSinks: attachesSinks)
  }

  package var testDescription: String {
    switch self {
    case .passthrough: "passthrough"
    case .currentValue: "currentValue"
    case .replay(let policy): policy.rawValue
    }
  }
}
