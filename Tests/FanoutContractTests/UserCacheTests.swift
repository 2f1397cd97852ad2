import Fanout
import FanoutContract
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The check of a user's caches.
struct UserCacheTests {
  private func summary(_ check: () throws(DeliveryContract.Violation) -> Void) -> String? {
    do {
      try check()
      return nil
    } catch {
      return error.summary
    }
  }

  @Test func `a cache that keeps the contract passes`() throws {
    try DeliveryContract.check(programs: 300) { LastEvens<Int> { $0 } }
    try DeliveryContract.check(programs: 300, value: Numbered.init, number: { $0.number }) {
      LastEvens<Numbered> { $0.number }
    }
  }

  @Test func `D6: a cache that changes when it is read is found`() {
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check { SpendingCache() }
    }
    #expect(summary == "reading `contents` changes them")
  }

  @Test func `D6: a cache that changes only in long programs when it is read is found`() {
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check { LateSpendingCache() }
    }
    #expect(summary?.hasPrefix("subscriber") == true)
  }

  @Test func `L2: caches that share their values are found`() {
    let place = SharingCache.Place()
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check { SharingCache(place: place) }
    }
    #expect(summary == "a fresh cache has something of an older one")
  }

  @Test func `L2: caches that behave differently are found`() {
    let made = Shared(0)
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check { MoodyCache(isInTheMood: made.increment().isMultiple(of: 2)) }
    }
    #expect(summary == "two caches that were given the same values differ")
  }

  @Test func `L2: a cache that outlives its connection is found`() {
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check { ImmortalCache() }
    }
    #expect(summary == "a cache is still alive")
  }

  @Test func `O6: a cache whose values outlive it is found`() {
    let cellar = HoardingCache.Cellar()
    let summary = summary { () throws(DeliveryContract.Violation) in
      try DeliveryContract.check(value: Numbered.init, number: { $0.number }) {
        HoardingCache(cellar: cellar)
      }
    }
    #expect(summary?.hasPrefix("value ") == true)
  }
}
