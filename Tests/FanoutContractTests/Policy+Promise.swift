import Fanout
import FanoutContract
import TestFixtures

extension Policy {
  /// The contract's promise for the policy.
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
}
