import Fanout
import FanoutContract
import FanoutTestSupport
import TestFixtures
import Testing

/// Each policy keeps only its own promise: the programs find a difference between any two.
struct PromiseTests {
  @Test(arguments: Policy.allCases, Policy.allCases)
  func `D6 D16: a policy breaks every promise but its own`(
    policy: Policy, promised: Policy
  ) {
    let checks: [() throws -> Void] = [
      {
        try DeliveryContract.check(
          programs: 300, replay: policy.replay { $0 }, promising: promised.promise,
          value: { $0 }, number: { $0 })
      },
      {
        try DeliveryContract.check(programs: 300, promising: promised.promise) {
          ReplaySubject<Int, Never>(policy.replay { $0 })
        }
      },
    ]
    for check in checks {
      if policy == promised {
        #expect(throws: Never.self) { try check() }
      } else {
        #expect(throws: DeliveryContract.Violation.self) { try check() }
      }
    }
  }

  @Test(arguments: Policy.allCases)
  func `D10 D16: a CurrentValueSubject breaks every policy's promise`(policy: Policy) {
    #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(programs: 300, promising: policy.promise) {
        CurrentValueSubject<Int, Never>(0)
      }
    }
    #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(programs: 300, promising: .currentValue(0)) {
        ReplaySubject<Int, Never>(policy.replay { $0 })
      }
    }
  }
}
