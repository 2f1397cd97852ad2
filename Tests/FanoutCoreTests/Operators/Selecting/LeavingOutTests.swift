import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that leave values out: `compactMap`, `removeDuplicates` and `dropFirst`.
struct LeavingOutTests {
  private func values<P: Publisher>(_ publisher: P) -> [P.Output] {
    let subscriber = TestSubscriber<P.Output, P.Failure>()
    publisher.receive(subscriber: subscriber)
    #expect(subscriber.violations == [])
    #expect(subscriber.completion != nil)
    return subscriber.values
  }

  @Test func `compactMap leaves out nil, and only one level of it`() {
    #expect(values(["1", "x", "3"].publisher.unspecialized.compactMap { Int($0) }) == [1, 3])
    #expect(
      values([1, 2].publisher.unspecialized.compactMap { $0 == 1 ? .some(Int?.none) : nil }) == [
        nil
      ])
    #expect(values([1, 2].publisher.unspecialized.compactMap { _ in Int?.none }) == [])
  }

  @Test func `D8: compactMap asks for another in the place of nil`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, _ in .max(2) }
    upstream.compactMap { $0 > 0 ? $0 : nil }.subscribe(subscriber)
    #expect(upstream.subscriptions[0].send(-1) == .max(1))
    #expect(upstream.subscriptions[0].send(1) == .max(2))
    #expect(subscriber.values == [1])
    subscriber.cancel()
    #expect(upstream.subscriptions[0].send(-1) == .none)
  }

  @Test func `removeDuplicates leaves out what equals the value before`() {
    #expect(values([1, 1, 2, 2, 2, 1].publisher.unspecialized.removeDuplicates()) == [1, 2, 1])
    let nan = values([Double.nan, .nan].publisher.unspecialized.removeDuplicates())
    #expect(nan.count == 2)
    #expect(values([Int?.none, nil, 1].publisher.unspecialized.removeDuplicates()) == [nil, 1])
  }

  @Test func `removeDuplicates compares with the value before, delivered or left out`() {
    // Each is close to the one before: as in Combine, all but the first are left out.
    let close = (1...5).publisher.unspecialized.removeDuplicates { $1 - $0 <= 1 }
    #expect(values(close) == [1])
    let order = Notes<String>()
    _ = values(
      (1...3).publisher.unspecialized.removeDuplicates {
        order.append("\($0)\($1)")
        return false
      })
    #expect(order.all == ["12", "23"])
  }

  @Test func `removeDuplicates starts anew for each subscriber`() {
    let publisher = [1, 1].publisher.unspecialized.removeDuplicates()
    #expect(values(publisher) == [1])
    #expect(values(publisher) == [1])
  }

  @Test func `D8: removeDuplicates asks for another in the place of what it leaves out`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(2)) { _, _ in .none }
    upstream.removeDuplicates().subscribe(subscriber)
    #expect([1, 1, 2].map { upstream.subscriptions[0].send($0) } == [.none, .max(1), .none])
    #expect(upstream.requests == [.max(2)])
    subscriber.cancel()
  }

  @Test func `D7: the end of the value before may cancel, and then the next does not pass`() {
    let subject = PassthroughSubject<Token, Never>()
    let held = Shared<AnyCancellable?>(nil)
    let received = Notes<Int>()
    held.value = subject.removeDuplicates { $0.id == $1.id }.sink { received.append($0.id) }
    subject.send(Token(1) { held.value?.cancel() })
    subject.send(Token(2))
    subject.send(Token(3))
    #expect(received.all == [1])
    held.value = nil
  }

  @Test func `O6: removeDuplicates retains the value before, and no other`() {
    let subject = PassthroughSubject<Token, Never>()
    let gone = Notes<Int>()
    let sink = subject.removeDuplicates { _, _ in true }.sink { _ in }
    for id in 1...3 { subject.send(Token(id) { gone.append(id) }) }
    #expect(gone.all == [1, 2])
    sink.cancel()
    #expect(gone.all == [1, 2, 3])
  }

  @Test func `dropFirst leaves out the first values`() {
    #expect(values((1...4).publisher.unspecialized.dropFirst()) == [2, 3, 4])
    #expect(values((1...4).publisher.unspecialized.dropFirst(3)) == [4])
    #expect(values((1...4).publisher.unspecialized.dropFirst(9)) == [])
    #expect(values((1...2).publisher.unspecialized.dropFirst(0)) == [1, 2])
    #expect(values((1...6).publisher.unspecialized.dropFirst(2).dropFirst(2)) == [5, 6])
  }

  @Test func `D8: dropFirst asks for what it leaves out, whatever its subscriber asks for`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
    upstream.dropFirst(2).subscribe(subscriber)
    #expect(upstream.requests == [.max(2)])
    #expect([1, 2].map { upstream.subscriptions[0].send($0) } == [.none, .none])
    subscriber.request(.max(1))
    #expect(upstream.requests == [.max(2), .max(1)])
    upstream.send(3)
    #expect(subscriber.values == [3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
    let none = TestPublisher<Int, Never>()
    let silent = TestSubscriber<Int, Never>(initialDemand: .none)
    none.dropFirst(0).subscribe(silent)
    #expect(none.requests == [])
    silent.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D8: dropFirst leaves out a subject's values before any demand`(kind: SubjectKind) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .none)
    subject.eraseToAnyPublisher().dropFirst(2 + kind.replay.count).subscribe(subscriber)
    (1...2).forEach(subject.send)
    subscriber.request(.max(1))
    (3...5).forEach(subject.send)
    #expect(subscriber.values == [3])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D8: dropFirst above a sink and below a limit is exact`() {
    let received = Notes<Int>()
    let sink = (1...9).publisher.unspecialized.dropFirst(3).prefix(2).sink { received.append($0) }
    #expect(received.all == [4, 5])
    sink.cancel()
    let one = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      value < 6 ? .max(1) : .none
    }
    (1...9).publisher.unspecialized.dropFirst(3).subscribe(one)
    #expect(one.values == [4, 5, 6])
    one.cancel()
  }
}
