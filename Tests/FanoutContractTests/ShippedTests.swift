import Fanout
import FanoutContract
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Every shipped cache and subject behaves like the model of the contract, in random programs.
struct ShippedTests {
  /// The tests check 14 kinds of publishers, so each run plays 20,000 programs.
  private static let programs = seeds(5_000 / 14 + 1).count

  @Test(arguments: Policy.allCases)
  func `D1 D2 D3 D5 D6 D7 D8 D9 D10 D12 D13 D16 D17 L1 L2 L3 L4 L5 O2 O6: shares, by programs`(
    policy: Policy
  ) throws {
    try DeliveryContract.check(
      programs: Self.programs, replay: policy.replay { $0.number }, promising: policy.promise,
      value: Numbered.init, number: { $0.number })
  }

  @Test(arguments: Policy.allCases)
  func `D1 D2 D3 D5 D6 D7 D8 D9 D10 D16 O2 O3 O6: a ReplaySubject, by programs`(
    policy: Policy
  ) throws {
    try DeliveryContract.checkExactly(
      programs: Self.programs, promising: policy.promise, failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { ReplaySubject<Numbered, Broken>(policy.replay { $0.number }) }
  }

  @Test func `D1 D2 D3 D5 D6 D7 D8 D9 D10 D16 O2 O3: a PassthroughSubject, by programs`() throws {
    try DeliveryContract.checkExactly(
      programs: Self.programs, promising: .nothing, failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { PassthroughSubject<Numbered, Broken>() }
  }

  @Test func `D1 D2 D3 D5 D6 D7 D8 D9 D10 D16 O2 O3 O6: a CurrentValueSubject, by programs`() throws
  {
    try DeliveryContract.checkExactly(
      programs: Self.programs, promising: .currentValue(0), failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { CurrentValueSubject<Numbered, Broken>(Numbered(0)) }
  }

  @Test(arguments: Policy.allCases)
  func `D12 D13 D17 L1 L3 L5: a multicast through a ReplaySubject, by programs`(
    policy: Policy
  ) throws {
    try DeliveryContract.checkExactly(
      programs: Self.programs / 4, multicastThrough: policy.promise, failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { ReplaySubject<Numbered, Broken>(policy.replay { $0.number }) }
  }

  @Test func `D12 D13 D17 L1 L3 L5: a multicast through the other subjects, by programs`() throws {
    try DeliveryContract.checkExactly(
      programs: Self.programs / 4, multicastThrough: .nothing, failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { PassthroughSubject<Numbered, Broken>() }
    try DeliveryContract.checkExactly(
      programs: Self.programs / 4, multicastThrough: .currentValue(0), failingWith: Broken(),
      value: Numbered.init, number: { $0.number }
    ) { CurrentValueSubject<Numbered, Broken>(Numbered(0)) }
  }
}
