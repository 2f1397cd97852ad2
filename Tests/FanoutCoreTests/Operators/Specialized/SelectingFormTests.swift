import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The special forms of operators that select and reduce: their types, and the same values as from the general
/// forms.
struct SelectingFormTests {
  private static let isSmall: @Sendable (Int) -> Bool = { $0 < 4 }
  private static let test: @Sendable (Int) throws -> Bool = { number in
    if number >= 8 { throw Broken() }
    return number < 4
  }
  private static let sum: @Sendable (Int, Int) -> Int = { $0 * 10 + $1 }
  private static let trySum: @Sendable (Int, Int) throws -> Int = { sum, number in
    if number >= 8 { throw Broken() }
    return sum * 10 + number
  }
  private static let throwing: @Sendable (Int, Int) throws -> Bool = { _, _ in throw Broken() }

  @Test(arguments: [3, 5, 8])
  func `Just's operators deliver the same as those of every publisher`(number: Int) {
    let just = Just(number)
    let any = just.eraseToAnyPublisher()
    let (isSmall, test, sum, trySum) = (Self.isSmall, Self.test, Self.sum, Self.trySum)
    let optional = Optional<Int>.Publisher.self
    let tried = Result<Bool, any Error>.Publisher.self
    expectSpecial(just.allSatisfy(isSmall), Just<Bool>.self, as: any.allSatisfy(isSmall))
    expectSpecial(just.tryAllSatisfy(test), tried, as: any.tryAllSatisfy(test))
    expectSpecial(just.contains(3), Just<Bool>.self, as: any.contains(3))
    expectSpecial(just.contains(where: isSmall), Just<Bool>.self, as: any.contains(where: isSmall))
    expectSpecial(just.tryContains(where: test), tried, as: any.tryContains(where: test))
    expectSpecial(just.count(), Just<Int>.self, as: any.count())
    expectSpecial(just.min(), Just<Int>.self, as: any.min())
    expectSpecial(just.max(), Just<Int>.self, as: any.max())
    expectSpecial(just.min { $0 > $1 }, Just<Int>.self, as: any.min { $0 > $1 })
    expectSpecial(just.max { $0 > $1 }, Just<Int>.self, as: any.max { $0 > $1 })
    expectSpecial(just.reduce(7, sum), Result<Int, Never>.Publisher.self, as: any.reduce(7, sum))
    expectSpecial(
      just.tryReduce(7, trySum), Result<Int, any Error>.Publisher.self,
      as: any.tryReduce(7, trySum))
    expectSpecial(
      just.tryScan(7, trySum), Result<Int, any Error>.Publisher.self, as: any.tryScan(7, trySum))
    expectSpecial(
      just.tryRemoveDuplicates(by: Self.throwing), Result<Int, any Error>.Publisher.self,
      as: any.tryRemoveDuplicates(by: Self.throwing))
    expectSpecial(just.last(), Just<Int>.self, as: any.last())
    expectSpecial(just.first(where: isSmall), optional, as: any.first(where: isSmall))
    expectSpecial(just.last(where: isSmall), optional, as: any.last(where: isSmall))
    expectSpecial(just.prefix(while: isSmall), optional, as: any.prefix(while: isSmall))
    expectSpecial(just.drop(while: isSmall), optional, as: any.drop(while: isSmall))
    expectSpecial(just.ignoreOutput(), Empty<Int, Never>.self, as: any.ignoreOutput())
    expectSpecial(
      just.replaceEmpty(with: 1), Just<Int>.self, delivers: ["\(number)", "finished"])
  }

  @Test(arguments: [nil, 3, 5])
  func `an optional's operators deliver the same as those of every publisher`(number: Int?) {
    let one = number.publisher
    let any = one.eraseToAnyPublisher()
    let (isSmall, sum) = (Self.isSmall, Self.sum)
    let type = Optional<Int>.Publisher.self
    let bool = Optional<Bool>.Publisher.self
    expectSpecial(one.allSatisfy(isSmall), bool, as: any.allSatisfy(isSmall))
    expectSpecial(one.contains(3), bool, as: any.contains(3))
    expectSpecial(one.contains(where: isSmall), bool, as: any.contains(where: isSmall))
    expectSpecial(one.count(), type, as: any.count())
    expectSpecial(one.min(), type, as: any.min())
    expectSpecial(one.max(), type, as: any.max())
    expectSpecial(one.min { $0 > $1 }, type, as: any.min { $0 > $1 })
    expectSpecial(one.max { $0 > $1 }, type, as: any.max { $0 > $1 })
    expectSpecial(one.reduce(7, sum), type, as: any.reduce(7, sum))
    expectSpecial(one.last(), type, as: any.last())
    expectSpecial(one.first(where: isSmall), type, as: any.first(where: isSmall))
    expectSpecial(one.last(where: isSmall), type, as: any.last(where: isSmall))
    expectSpecial(one.prefix(while: isSmall), type, as: any.prefix(while: isSmall))
    expectSpecial(one.drop(while: isSmall), type, as: any.drop(while: isSmall))
    expectSpecial(one.ignoreOutput(), Empty<Int, Never>.self, as: any.ignoreOutput())
    expectSpecial(
      one.replaceEmpty(with: 1), Just<Int>.self, delivers: ["\(number ?? 1)", "finished"])
  }

  @Test(
    arguments: [.success(3), .success(5), .success(8), .failure(Broken())]
      as [Result<
        Int, Broken
      >])
  func `a result's operators deliver the same as those of every publisher`(
    result: Result<Int, Broken>
  ) {
    let one = result.publisher
    let any = one.eraseToAnyPublisher()
    let (isSmall, test, sum, trySum) = (Self.isSmall, Self.test, Self.sum, Self.trySum)
    let type = Result<Int, Broken>.Publisher.self
    let bool = Result<Bool, Broken>.Publisher.self
    let triedBool = Result<Bool, any Error>.Publisher.self
    let tried = Result<Int, any Error>.Publisher.self
    expectSpecial(one.allSatisfy(isSmall), bool, as: any.allSatisfy(isSmall))
    expectSpecial(one.tryAllSatisfy(test), triedBool, as: any.tryAllSatisfy(test))
    expectSpecial(one.contains(3), bool, as: any.contains(3))
    expectSpecial(one.contains(where: isSmall), bool, as: any.contains(where: isSmall))
    expectSpecial(one.tryContains(where: test), triedBool, as: any.tryContains(where: test))
    expectSpecial(one.count(), type, as: any.count())
    expectSpecial(one.min(), type, as: any.min())
    expectSpecial(one.max(), type, as: any.max())
    expectSpecial(one.min { $0 > $1 }, type, as: any.min { $0 > $1 })
    expectSpecial(one.max { $0 > $1 }, type, as: any.max { $0 > $1 })
    expectSpecial(one.tryMin(by: Self.throwing), tried, as: any.tryMin(by: Self.throwing))
    expectSpecial(one.tryMax(by: Self.throwing), tried, as: any.tryMax(by: Self.throwing))
    expectSpecial(one.reduce(7, sum), type, as: any.reduce(7, sum))
    expectSpecial(one.tryReduce(7, trySum), tried, as: any.tryReduce(7, trySum))
    expectSpecial(one.tryScan(7, trySum), tried, as: any.tryScan(7, trySum))
    expectSpecial(
      one.tryRemoveDuplicates(by: Self.throwing), tried,
      as: any.tryRemoveDuplicates(by: Self.throwing))
    expectSpecial(one.last(), type, as: any.last())
    expectSpecial(
      one.replaceError(with: 1).ignoreOutput(), Empty<Int, Never>.self,
      as: any.replaceError(with: 1).ignoreOutput())
    expectSpecial(one.replaceEmpty(with: 1).first(), type, as: any.first())
  }

  @Test func `D9: ignoreOutput passes on the failure of a result`() {
    let subscriber = TestSubscriber<Never, Broken>()
    Result<Int, Broken>.failure(Broken()).publisher.ignoreOutput().subscribe(subscriber)
    #expect(subscriber.completion == .failure(Broken()))
    #expect(subscriber.violations == [])
  }

  @Test(arguments: [[], [3], [5], [1, 1, 5, 2, 3, 3, 7], [1, 9, 2]])
  func `a sequence's reducing operators deliver the same as those of every publisher`(
    numbers: [Int]
  ) {
    let source = numbers.publisher
    let any = source.eraseToAnyPublisher()
    let (isSmall, test, sum, trySum) = (Self.isSmall, Self.test, Self.sum, Self.trySum)
    let optional = Optional<Int>.Publisher.self
    let bool = Result<Bool, Never>.Publisher.self
    let tried = Result<Bool, any Error>.Publisher.self
    expectSpecial(source.allSatisfy(isSmall), bool, as: any.allSatisfy(isSmall))
    expectSpecial(source.tryAllSatisfy(test), tried, as: any.tryAllSatisfy(test))
    expectSpecial(source.contains(3), bool, as: any.contains(3))
    expectSpecial(source.contains(where: isSmall), bool, as: any.contains(where: isSmall))
    expectSpecial(source.tryContains(where: test), tried, as: any.tryContains(where: test))
    expectSpecial(source.count(), Just<Int>.self, as: any.count())
    expectSpecial(
      Set(numbers).publisher.count(), Result<Int, Never>.Publisher.self,
      as: Set(numbers).publisher.eraseToAnyPublisher().count())
    expectSpecial(
      source.setFailureType(to: Broken.self).count(), Result<Int, Broken>.Publisher.self,
      as: any.setFailureType(to: Broken.self).count())
    expectSpecial(source.min(), optional, as: any.min())
    expectSpecial(source.max(), optional, as: any.max())
    expectSpecial(source.min { $0 / 2 < $1 / 2 }, optional, as: any.min { $0 / 2 < $1 / 2 })
    expectSpecial(source.max { $0 / 2 < $1 / 2 }, optional, as: any.max { $0 / 2 < $1 / 2 })
    expectSpecial(source.reduce(7, sum), Result<Int, Never>.Publisher.self, as: any.reduce(7, sum))
    expectSpecial(
      source.tryReduce(7, trySum), Result<Int, any Error>.Publisher.self,
      as: any.tryReduce(7, trySum))
  }

  @Test(arguments: [[], [3], [5], [1, 1, 5, 2, 3, 3, 7]])
  func `a sequence's selecting operators deliver the same as those of every publisher`(
    numbers: [Int]
  ) {
    let source = numbers.publisher
    let any = source.eraseToAnyPublisher()
    let isSmall = Self.isSmall
    let optional = Optional<Int>.Publisher.self
    let type = Publishers.Sequence<[Int], Never>.self
    expectSpecial(source.first(where: isSmall), optional, as: any.first(where: isSmall))
    expectSpecial(source.last(), optional, as: any.last())
    expectSpecial(source.last(where: isSmall), optional, as: any.last(where: isSmall))
    expectSpecial(source.prefix(while: isSmall), type, as: any.prefix(while: isSmall))
    expectSpecial(
      source.drop(while: isSmall), Publishers.Sequence<DropWhileSequence<[Int]>, Never>.self,
      as: any.drop(while: isSmall))
    expectSpecial(source.ignoreOutput(), Empty<Int, Never>.self, as: any.ignoreOutput())
  }

  @Test func `their types can be named`() {
    let none: Empty<Int, Never> = Just(1).ignoreOutput()
    let sum: Result<Int, Never>.Publisher = (1...3).publisher.reduce(0, +)
    let least: Optional<Int>.Publisher = [3, 1, 2].publisher.min()
    let number: Just<Int> = Int?.none.publisher.replaceEmpty(with: 4)
    #expect(none == Empty())
    #expect(sum == Result.success(6).publisher)
    #expect(least == Optional(1).publisher)
    #expect(number == Just(4))
  }

  @Test func `closures run once, in the call`() {
    final class Counter { var count = 0 }
    let counter = Counter()
    let all = (1...3).publisher.allSatisfy { _ in
      counter.count += 1
      return true
    }
    #expect(counter.count == 3)
    for _ in 0..<2 { all.subscribe(TestSubscriber<Bool, Never>()) }
    #expect(counter.count == 3)
  }
}
