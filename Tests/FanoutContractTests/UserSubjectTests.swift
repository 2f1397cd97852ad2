import Fanout
import FanoutContract
import FanoutTestSupport
import TestFixtures
import Testing

/// The check of a user's subjects.
struct UserSubjectTests {
  private func violation(
    of tampering: Tampering?, promising promise: DeliveryContract.Promise = .latest
  ) -> DeliveryContract.Violation? {
    do {
      // The tampering is not made for several threads.
      try DeliveryContract.check(rounds: 0, promising: promise, failingWith: Broken()) {
        TamperedSubject(ReplaySubject<Int, Broken>(.latest), tampering)
      }
      return nil
    } catch {
      return error
    }
  }

  @Test func `a subject that keeps the contract passes`() {
    #expect(violation(of: nil)?.description == nil)
  }

  @Test(arguments: Tampering.allCases)
  func `D6 D7 D8 D9 O2: every fault of a tampered subject is found by a short program`(
    tampering: Tampering
  ) throws {
    let found = try #require(violation(of: tampering))
    let program = try #require(found.program)
    let reactions = program.reactions.values.joined().count
    #expect(program.steps.count + reactions <= 5, "\(found)")
    let seed = try #require(found.seed)
    // Its seed and its program alone each reproduce it.
    #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(
        programs: 1, seed: seed, promising: .latest, failingWith: Broken()
      ) { TamperedSubject(ReplaySubject<Int, Broken>(.latest), tampering) }
    }
    let again = #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(only: program, promising: .latest, failingWith: Broken()) {
        TamperedSubject(ReplaySubject<Int, Broken>(.latest), tampering)
      }
    }
    #expect(again?.summary == found.summary)
    #expect(again?.seed == nil)
  }

  @Test func `D1 D3: a subject that nests re-entrant sends is found`() throws {
    let error = #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(promising: .nothing) { NestingSubject<Int>() }
    }
    let found = try #require(error)
    #expect(found.summary.contains("nested in a call that had not returned"))
    #expect(found.rules == "D1 D3")
  }

  @Test func `D11: a subject that delivers under a lock is reported instead of hanging the check`()
    throws
  {
    let error = #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.$patience.withValue(1) {
        try DeliveryContract.check(promising: .nothing) { LockingSubject() }
      }
    }
    let found = try #require(error)
    #expect(found.summary == "a program does not come to its end")
    #expect(found.rules == "D11")
    #expect(found.program != nil)
    #expect(found.test.contains("LockingSubject"))
  }

  @Test func `a violation is readable, and prints the shortest program as a test`() throws {
    let error = #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(promising: .nothing, failingWith: Broken()) {
        TamperedSubject(PassthroughSubject<Int, Broken>(), .dropsSevens)
      }
    }
    let found = try #require(error)
    let seed = try #require(found.seed)
    #expect(
      found.description == """
        The contract is broken (D6 D8 D16): subscriber 0 does not get 14.

        It shows in step 2, .send(14):
        subscriber 0
          expected [subscription, 14]
          actual   [subscription]

        Found with seed \(seed): `seed: \(seed)` or FANOUT_SEED=\(seed) finds it again.

        As a test:

        @Test func `the program of seed \(seed)`() throws {
          let program = DeliveryContract.Program(
            steps: [
              .subscribe(0, .max(1)),
              .send(14),
            ])
          try DeliveryContract.check(only: program, promising: .nothing, failingWith: Broken()) {
            TamperedSubject<PassthroughSubject<Int, Broken>>()
          }
        }
        """)
  }

  // The test printed for a nesting subject, pasted.
  @Test func `the program of seed 4`() throws {
    let program = DeliveryContract.Program(
      steps: [
        .subscribe(0, .max(1))
      ],
      reactions: [
        .init(0, .subscription): [.send(1)]
      ])
    #expect(throws: DeliveryContract.Violation.self) {
      try DeliveryContract.check(only: program, promising: .nothing) { NestingSubject<Int>() }
    }
    try DeliveryContract.check(only: program, promising: .nothing) {
      PassthroughSubject<Int, Never>()
    }
  }
}
