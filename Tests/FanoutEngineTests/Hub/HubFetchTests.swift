import FanoutTestSupport
import TestThreads
import Testing

@testable import FanoutEngine

extension Fetched {
  /// The value, if it is one.
  fileprivate var element: Element? {
    if case .element(let element) = self { element } else { nil }
  }
}

/// The values that a loop takes together with an earlier one.
struct HubFetchTests {
  @Test func `D1 D8: a copy of an iterator that waits takes first what another copy has put aside`()
    async
  {
    let owner = Owner<Int>(.last(2))
    owner.send(1)
    let cursor = PullCursor(hub: owner.hub, owner: owner)
    owner.hub.join(cursor)
    #expect(cursor.fetch()?.element == 1)
    // One copy finds nothing, and is about to wait.
    #expect(cursor.fetch()?.element == nil)
    for number in 2...4 { owner.send(number) }
    // Another one takes a value, and puts the next ones aside.
    #expect(cursor.fetch()?.element == 2)
    owner.send(5)
    for expected in 3...5 {
      #expect(await cursor.next(isolation: nil).element == expected)
    }
    cursor.cancel()
  }
}
