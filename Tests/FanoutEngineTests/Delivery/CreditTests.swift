import FanoutEngine
import TestThreads
import Testing

private final class Account: Sendable {
  private let pending = CreditAccount()

  func add(_ credit: Credit) { pending.add(credit) }
  func peek() -> Credit { pending.peek() }
  func take() -> Credit { pending.take() }
}

struct CreditTests {
  @Test func `adds up and saturates`() {
    #expect(credit(2) + credit(3) == credit(5))
    #expect(credit(UInt(Int.max)) + credit(1) == .unlimited)
    #expect(credit(UInt(Int.max)) + credit(UInt(Int.max)) == .unlimited)
    #expect(.unlimited + credit(1) == .unlimited)
    #expect(credit(1) + .unlimited == .unlimited)
    #expect(Credit.unlimited + .unlimited == .unlimited)
    #expect(credit(UInt.max) == .unlimited)
    #expect(!credit(UInt(Int.max)).isUnlimited)
  }

  @Test func `is used up one by one, unless it is without limit`() {
    #expect(credit(2).afterOne == credit(1))
    #expect(credit(1).afterOne == .none)
    #expect(Credit.unlimited.afterOne == .unlimited)
  }
}

struct CreditRaceTests {
  @Test func `what many threads grant is added up and taken once`() {
    let account = Account()
    let taken = Shared(Credit.none)
    let grant: @Sendable () -> Void = { for _ in 0..<30_000 { account.add(credit(1)) } }
    let take: @Sendable () -> Void = {
      for _ in 0..<2000 {
        let credit = account.take()
        taken.change { $0 = $0 + credit }
      }
    }
    #expect(race(grant, grant, take))
    #expect(taken.value + account.take() == credit(60_000))
    #expect(account.take() == .none)
    account.add(.unlimited)
    account.add(.unlimited)
    account.add(credit(1))
    #expect(account.peek() == .unlimited)
    #expect(account.take() == .unlimited)
    #expect(account.peek() == .none)
  }
}
