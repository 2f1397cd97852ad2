// `@unchecked Sendable` invariant: `made` is behind a lock; one task at a time reaches `whenMade`. Unsafe: copies of
// the iterator that tasks share are made before any of them calls it, and its subscriber is safe to use from any
// thread.

import FanoutCore
import FanoutEngine
import FanoutOperators
import Testing

/// Loops over publishers that have their values at hand.
@Suite(.timeLimit(.minutes(30)))
struct PulledValuesTests {
  /// Doubles each value, and passes its upstream's subscription on as it is.
  private struct Doubled<Upstream: Publisher>: Publisher where Upstream.Output == Int {
    typealias Output = Int
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    private final class Doubling<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Int, Downstream.Failure == Failure {
      typealias Input = Int
      let downstream: Downstream
      init(_ downstream: Downstream) { self.downstream = downstream }

      var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }
      func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
      }
      func receive(_ value: Int) -> Subscribers.Demand { downstream.receive(2 * value) }
      func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion)
      }
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
      upstream.receive(subscriber: Doubling(subscriber))
    }
  }

  @Test func `D8: a subscriber in between that forwards the subscription changes the values`() async
  {
    var values: [Int] = []
    for await value in Doubled(upstream: (1...3).publisher).values { values.append(value) }
    for await value in Doubled(upstream: Just(4)).values { values.append(value) }
    #expect(values == [2, 4, 6, 8])
  }

  @Test func `D9: a recorded failure is thrown after the last value`() async {
    struct Lost: Error {}
    let record = Record<Int, Lost>(output: [1, 2], completion: .failure(Lost()))
    var values: [Int] = []
    await #expect(throws: Lost.self) {
      for try await value in record.values { values.append(value) }
    }
    #expect(values == [1, 2])
  }

  /// A count of the elements that were made.
  private final class Count: @unchecked Sendable {
    let made = Lock(0)
    var whenMade: [Int: () -> Void] = [:]
  }

  /// The numbers from 1 to `last`; making one runs what the count says.
  private struct Numbers: Sequence, IteratorProtocol {
    let last: Int
    let count: Count

    mutating func next() -> Int? {
      let made = count.made.withLock { made -> Int in
        made += 1
        return made
      }
      count.whenMade[made]?()
      return made <= last ? made : nil
    }
  }

  @Test
  func
    `D9: the first nil of an iterator is the end, which comes with the last value`()
    async
  {
    let count = Count()
    var iterator = Numbers(last: 3, count: count).publisher.values.makeAsyncIterator()
    weak let subscriber = iterator.subscriber
    #expect(await iterator.next() == 1)
    // One element is made ahead, so that the completion comes with the last value.
    #expect(count.made.withLock { $0 } == 2)
    #expect(await iterator.next() == 2)
    #expect(await iterator.next() == 3)
    #expect(subscriber?.stage.isClosed == true)
    #expect(await iterator.next() == nil)
    #expect(await iterator.next() == nil)
    #expect(count.made.withLock { $0 } == 4)
  }

  @Test(arguments: 2...4)
  func `D7: an element that cancels while it is made ends the loop`(element: Int) async {
    let count = Count()
    var iterator = Numbers(last: 3, count: count).publisher.values.makeAsyncIterator()
    let claim = iterator.claim
    count.whenMade[element] = { claim.cancel() }
    var values: [Int] = []
    while let value = await iterator.next() { values.append(value) }
    #expect(values == Array(1..<(element - 1)))
    #expect(count.made.withLock { $0 } == element)
    count.whenMade = [:]
  }

  @Test func `D7: the task of a loop is cancelled between two values`() async {
    let values = await Task { () -> [Int] in
      var values: [Int] = []
      for await value in (1...10).publisher.values {
        values.append(value)
        if value == 3 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return values
    }.value
    #expect(values == [1, 2, 3])
  }

  @Test(arguments: [true, false])
  func `D1, D8: copies of an iterator share all values and one end`(isCancelled: Bool) async {
    for _ in 0..<200 {
      let sequence = (1...300).publisher.values
      nonisolated(unsafe) let iterator = sequence.makeAsyncIterator()
      let loops = (0..<3).map { _ in
        Task { () -> [Int] in
          var copy = iterator
          var values: [Int] = []
          while let value = await copy.next() { values.append(value) }
          return values
        }
      }
      if isCancelled { iterator.claim.cancel() }
      var all: [Int] = []
      for loop in loops {
        let values = await loop.value
        #expect(values == values.sorted())
        all += values
      }
      // After a cancel too, none is left out before one that was taken.
      #expect(all.sorted() == Array(1..<(all.count + 1)))
      #expect(isCancelled || all.count == 300)
    }
  }

  @Test func `O2: values that nobody takes leave with the iterator`() async {
    weak var first: Token?
    weak var last: Token?
    func begin() -> AsyncPublisher<Publishers.Sequence<[Token], Never>>.Iterator {
      let tokens = (1...4).map { _ in Token() }
      (first, last) = (tokens[1], tokens[3])
      return tokens.publisher.values.makeAsyncIterator()
    }
    var iterator: AsyncPublisher<Publishers.Sequence<[Token], Never>>.Iterator? = begin()
    _ = await iterator?.next()
    #expect(first != nil && last != nil)
    iterator = nil
    #expect(first == nil && last == nil)
  }

  private final class Token: Sendable {}
}
