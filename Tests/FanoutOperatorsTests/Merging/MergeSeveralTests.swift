import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `merge(with:)` of three to eight publishers of different types.
@Suite(.noLeaks) struct MergeSeveralTests {
  private typealias Source = TestPublisher<Int, Broken>
  private typealias Erased = AnyPublisher<Int, Broken>

  private static func publishers(_ sources: [Source]) -> [Erased] {
    sources.map { $0.eraseToAnyPublisher() }
  }

  /// Merges three to eight publishers with one call.
  private func merged(_ s: [Source]) -> Erased {
    let p = Self.publishers(s)
    switch s.count {
    case 3: return s[0].merge(with: p[1], p[2]).eraseToAnyPublisher()
    case 4: return s[0].merge(with: p[1], p[2], p[3]).eraseToAnyPublisher()
    case 5: return s[0].merge(with: p[1], p[2], p[3], p[4]).eraseToAnyPublisher()
    case 6: return s[0].merge(with: p[1], p[2], p[3], p[4], p[5]).eraseToAnyPublisher()
    case 7: return s[0].merge(with: p[1], p[2], p[3], p[4], p[5], p[6]).eraseToAnyPublisher()
    default:
      return s[0].merge(with: p[1], p[2], p[3], p[4], p[5], p[6], p[7]).eraseToAnyPublisher()
    }
  }

  @Test(arguments: 3...8)
  func `D8 D9: each value arrives once, the order of each is kept, and the end is the last`(
    count: Int
  ) {
    let sources = (0..<count).map { _ in Source() }
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    merged(sources).subscribe(subscriber)
    #expect(sources.allSatisfy { $0.requests == [.max(1)] })
    for (index, source) in sources.enumerated() { source.send(index) }
    #expect(subscriber.values == [])
    subscriber.request(.max(2))
    #expect(subscriber.values == [0, 1])
    #expect(sources.map(\.requests.count) == (0..<count).map { $0 < 2 ? 2 : 1 })
    subscriber.request(.unlimited)
    #expect(subscriber.values == Array(0..<count))
    #expect(sources.allSatisfy { $0.requests.last == .unlimited })
    for source in sources.reversed() {
      #expect(subscriber.completion == nil)
      source.send(100)
      source.send(completion: .finished)
    }
    #expect(subscriber.completion == .finished)
    #expect(subscriber.values.count == 2 * count)
    #expect(subscriber.violations == [])
  }

  @Test(arguments: 3...8)
  func `D9: a failure of any cancels the others, behind the values that wait`(count: Int) {
    for failing in 0..<count {
      let sources = (0..<count).map { _ in Source() }
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
      merged(sources).subscribe(subscriber)
      sources[0].send(1)
      sources[failing].send(completion: .failure(Broken()))
      #expect(sources.indices.allSatisfy { sources[$0].cancelCount == ($0 == failing ? 0 : 1) })
      #expect(subscriber.completion == nil)
      subscriber.request(.max(1))
      #expect(subscriber.events == [.subscription, .value(1), .completion(.failure(Broken()))])
    }
  }

  @Test(arguments: 3...8)
  func `D7: a cancel inside a value cancels all`(count: Int) {
    let sources = (0..<count).map { _ in Source() }
    let subscriber = TestSubscriber<Int, Broken> { subscriber, _ in
      subscriber.cancel()
      return .none
    }
    merged(sources).subscribe(subscriber)
    for source in sources { source.send(1) }
    #expect(subscriber.values == [1])
    #expect(sources.allSatisfy { $0.cancelCount == 1 })
    #expect(subscriber.violations == [])
  }

  @Test func `D3: what a subscriber sends into another of them waits its turn`() {
    let subjects = (0..<3).map { _ in PassthroughSubject<Int, Never>() }
    let received = Notes<String>()
    let merged = subjects[0].merge(with: subjects[1].map { $0 }, subjects[2].filter { _ in true })
    let sink = merged.sink { value in
      received.append("begins \(value)")
      if value < 3 { subjects[value].send(value + 1) }
      received.append("ends \(value)")
    }
    subjects[0].send(1)
    #expect(
      received.all == ["begins 1", "ends 1", "begins 2", "ends 2", "begins 3", "ends 3"])
    sink.cancel()
  }

  private typealias One = Just<Int>
  private typealias Two = Publishers.Merge<One, Empty<Int, Never>>

  @Test func `a merge that is merged again is one publisher of all, of Combine's type`() {
    let empty = Empty<Int, Never>()
    let two: Two = Just(1).merge(with: empty)
    let three: Publishers.Merge3<One, Empty<Int, Never>, One> = two.merge(with: Just(2))
    let four: Publishers.Merge4<One, Empty<Int, Never>, One, One> = two.merge(
      with: Just(2), Just(3))
    let eight = four.merge(with: Just(4), Just(5), empty, Just(6))
    #expect(values(three) == [1, 2])
    #expect(values(four) == [1, 2, 3])
    #expect(values(eight) == [1, 2, 3, 4, 5, 6])
    let fromSeven = four.merge(with: Just(4)).merge(with: Just(5)).merge(with: empty).merge(
      with: Just(6))
    #expect(type(of: fromSeven) == type(of: eight))
    #expect(fromSeven == eight)
    #expect(values(fromSeven) == [1, 2, 3, 4, 5, 6])
  }

  @Test func `every widening keeps the order of the publishers`() {
    let j = (0..<8).map { Just($0) }
    let two = j[0].merge(with: j[1].map { $0 })
    let three = two.merge(with: j[2])
    let four = three.merge(with: j[3])
    let five = four.merge(with: j[4])
    let six = five.merge(with: j[5])
    let all = Array(0..<8)
    #expect(values(two.merge(with: j[2], j[3], j[4], j[5], j[6], j[7])) == all)
    #expect(values(two.merge(with: j[2], j[3], j[4], j[5], j[6])) == Array(all[..<7]))
    #expect(values(two.merge(with: j[2], j[3], j[4], j[5])) == Array(all[..<6]))
    #expect(values(two.merge(with: j[2], j[3], j[4])) == Array(all[..<5]))
    #expect(values(two.merge(with: j[2], j[3])) == Array(all[..<4]))
    #expect(values(three.merge(with: j[3], j[4], j[5], j[6], j[7])) == all)
    #expect(values(three.merge(with: j[3], j[4], j[5], j[6])) == Array(all[..<7]))
    #expect(values(three.merge(with: j[3], j[4], j[5])) == Array(all[..<6]))
    #expect(values(three.merge(with: j[3], j[4])) == Array(all[..<5]))
    #expect(values(four.merge(with: j[4], j[5], j[6], j[7])) == all)
    #expect(values(four.merge(with: j[4], j[5], j[6])) == Array(all[..<7]))
    #expect(values(four.merge(with: j[4], j[5])) == Array(all[..<6]))
    #expect(values(five.merge(with: j[5], j[6], j[7])) == all)
    #expect(values(five.merge(with: j[5], j[6])) == Array(all[..<7]))
    #expect(values(six.merge(with: j[6], j[7])) == all)
    #expect(values(six.merge(with: j[6]).merge(with: j[7])) == all)
  }

  private func values<P: Publisher<Int, Never>>(_ publisher: P) -> [Int] {
    let subscriber = TestSubscriber<Int, Never>()
    publisher.subscribe(subscriber)
    #expect(subscriber.completion == .finished)
    #expect(subscriber.violations == [])
    return subscriber.values
  }
}
