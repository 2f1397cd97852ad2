import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// The special forms of this module's operators: their types, and the same values as from the general forms.
struct SpecialFormTests {
  private static let isSmall: @Sendable (Int) -> Bool = { $0 < 4 }
  private static let small: @Sendable (Int) -> String? = { $0 < 4 ? "\($0)" : nil }
  private static let orThrow: @Sendable (Int) throws -> Int = { number in
    if number >= 4 { throw Broken() }
    return number * 2
  }
  private static let sum: @Sendable (Int, Int) -> Int = { $0 * 10 + $1 }
  private static let alike: @Sendable (Int, Int) -> Bool = { $0 / 2 == $1 / 2 }
  private static let rename: @Sendable (Broken) -> NumberedError = { _ in NumberedError(5) }

  private static func broken(_ error: Never) -> Broken {}

  @Test(arguments: [3, 8])
  func `Just's operators deliver the same as those of every publisher`(number: Int) {
    let just = Just(number)
    let any = just.eraseToAnyPublisher()
    let isSmall = Self.isSmall
    let optional = Optional<Int>.Publisher.self
    expectSpecial(just.map { $0 + 1 }, Just<Int>.self, as: any.map { $0 + 1 })
    expectSpecial(
      just.tryMap(Self.orThrow), Result<Int, any Error>.Publisher.self,
      as: any.tryMap(Self.orThrow))
    expectSpecial(
      just.compactMap(Self.small), Optional<String>.Publisher.self, as: any.compactMap(Self.small))
    expectSpecial(just.filter(isSmall), optional, as: any.filter(isSmall))
    expectSpecial(
      just.scan(7, Self.sum), Result<Int, Never>.Publisher.self, as: any.scan(7, Self.sum))
    expectSpecial(just.removeDuplicates(), Just<Int>.self, as: any.removeDuplicates())
    expectSpecial(
      just.removeDuplicates(by: Self.alike), Just<Int>.self,
      as: any.removeDuplicates(by: Self.alike))
    expectSpecial(just.first(), Just<Int>.self, as: any.first())
    expectSpecial(just.collect(), Just<[Int]>.self, as: any.collect())
    expectSpecial(
      just.setFailureType(to: Broken.self), Result<Int, Broken>.Publisher.self,
      as: any.setFailureType(to: Broken.self))
    expectSpecial(
      just.mapError(Self.broken), Result<Int, Broken>.Publisher.self,
      as: any.setFailureType(to: Broken.self))
    expectSpecial(just.replaceError(with: 9), Just<Int>.self, as: any.replaceError(with: 9))
    for count in 0...2 {
      expectSpecial(just.dropFirst(count), optional, as: any.dropFirst(count))
      expectSpecial(just.prefix(count), optional, as: any.prefix(count))
      expectSpecial(just.output(at: count), optional, as: any.output(at: count))
      expectSpecial(just.output(in: 0..<count), optional, as: any.output(in: 0..<count))
      expectSpecial(just.output(in: count...), optional, as: any.output(in: count...))
      expectSpecial(just.output(in: ...count), optional, as: any.output(in: ...count))
    }
  }

  @Test(arguments: [nil, 3, 8])
  func `an optional's operators deliver the same as those of every publisher`(number: Int?) {
    let one = number.publisher
    let any = one.eraseToAnyPublisher()
    let isSmall = Self.isSmall
    let type = Optional<Int>.Publisher.self
    expectSpecial(one.map { $0 + 1 }, type, as: any.map { $0 + 1 })
    expectSpecial(
      one.compactMap(Self.small), Optional<String>.Publisher.self, as: any.compactMap(Self.small))
    expectSpecial(one.filter(isSmall), type, as: any.filter(isSmall))
    expectSpecial(one.scan(7, Self.sum), type, as: any.scan(7, Self.sum))
    expectSpecial(one.removeDuplicates(), type, as: any.removeDuplicates())
    expectSpecial(
      one.removeDuplicates(by: Self.alike), type, as: any.removeDuplicates(by: Self.alike))
    expectSpecial(one.first(), type, as: any.first())
    expectSpecial(one.collect(), Optional<[Int]>.Publisher.self, as: any.collect())
    expectSpecial(one.replaceError(with: 9), type, as: any.replaceError(with: 9))
    for count in 0...2 {
      expectSpecial(one.dropFirst(count), type, as: any.dropFirst(count))
      expectSpecial(one.prefix(count), type, as: any.prefix(count))
      expectSpecial(one.output(at: count), type, as: any.output(at: count))
      expectSpecial(one.output(in: 0..<count), type, as: any.output(in: 0..<count))
      expectSpecial(one.output(in: count...), type, as: any.output(in: count...))
    }
  }

  @Test(arguments: [.success(3), .success(8), .failure(Broken())] as [Result<Int, Broken>])
  func `a result's operators deliver the same as those of every publisher`(
    result: Result<Int, Broken>
  ) {
    let one = result.publisher
    let any = one.eraseToAnyPublisher()
    let type = Result<Int, Broken>.Publisher.self
    expectSpecial(one.map { $0 + 1 }, type, as: any.map { $0 + 1 })
    expectSpecial(
      one.tryMap(Self.orThrow), Result<Int, any Error>.Publisher.self, as: any.tryMap(Self.orThrow))
    expectSpecial(one.scan(7, Self.sum), type, as: any.scan(7, Self.sum))
    expectSpecial(one.removeDuplicates(), type, as: any.removeDuplicates())
    expectSpecial(
      one.removeDuplicates(by: Self.alike), type, as: any.removeDuplicates(by: Self.alike))
    expectSpecial(one.first(), type, as: any.first())
    expectSpecial(one.collect(), Result<[Int], Broken>.Publisher.self, as: any.collect())
    expectSpecial(
      one.mapError(Self.rename), Result<Int, NumberedError>.Publisher.self,
      as: any.mapError(Self.rename))
    let replaced = one.replaceError(with: 9)
    expectSpecial(replaced, Result<Int, Never>.Publisher.self, as: any.replaceError(with: 9))
    expectSpecial(
      replaced.setFailureType(to: Broken.self), type,
      as: replaced.eraseToAnyPublisher().setFailureType(to: Broken.self))
  }

  @Test(arguments: [[], [3], [8], [1, 1, 5, 2, 3, 3, 9]])
  func `a sequence's operators deliver the same as those of every publisher`(numbers: [Int]) {
    let source = numbers.publisher
    let any = source.eraseToAnyPublisher()
    let isSmall = Self.isSmall
    let type = Publishers.Sequence<[Int], Never>.self
    expectSpecial(source.map { $0 + 1 }, type, as: any.map { $0 + 1 })
    expectSpecial(
      source.compactMap(Self.small), Publishers.Sequence<[String], Never>.self,
      as: any.compactMap(Self.small))
    expectSpecial(source.filter(isSmall), type, as: any.filter(isSmall))
    expectSpecial(source.scan(7, Self.sum), type, as: any.scan(7, Self.sum))
    let optionals = numbers.map { $0 < 4 ? $0 : nil }.publisher
    expectSpecial(
      optionals.replaceNil(with: 0), type, as: optionals.eraseToAnyPublisher().replaceNil(with: 0))
    expectSpecial(source.removeDuplicates(), type, as: any.removeDuplicates())
    expectSpecial(
      optionals.removeDuplicates(), Publishers.Sequence<[Int?], Never>.self,
      as: optionals.eraseToAnyPublisher().removeDuplicates())
    expectSpecial(source.collect(), Result<[Int], Never>.Publisher.self, as: any.collect())
    expectSpecial(source.first(), Optional<Int>.Publisher.self, as: any.first())
    expectSpecial(
      source.setFailureType(to: Broken.self), Publishers.Sequence<[Int], Broken>.self,
      as: any.setFailureType(to: Broken.self))
    for count in 0...3 {
      expectSpecial(
        source.dropFirst(count), Publishers.Sequence<DropFirstSequence<[Int]>, Never>.self,
        as: any.dropFirst(count))
      expectSpecial(
        source.prefix(count), Publishers.Sequence<PrefixSequence<[Int]>, Never>.self,
        as: any.prefix(count))
      let optional = Optional<Int>.Publisher.self
      expectSpecial(source.output(at: count), optional, as: any.output(at: count))
      expectSpecial(source.output(in: 1..<count + 1), type, as: any.output(in: 1..<count + 1))
      // Positions, where indices are numbers too, but others.
      let slice = ([0, 0] + numbers).dropFirst(2).publisher
      expectSpecial(slice.output(at: count), optional, as: any.output(at: count))
      expectSpecial(slice.output(in: 1..<count + 1), type, as: any.output(in: 1..<count + 1))
    }
  }

  @Test func `indices that are no numbers select elements of the collection`() {
    let text = "abc"
    let characters = text.publisher
    let second = text.index(after: text.startIndex)
    expectSpecial(
      characters.output(at: second), Optional<Character>.Publisher.self,
      delivers: ["b", "finished"])
    expectSpecial(
      characters.output(at: text.endIndex), Optional<Character>.Publisher.self,
      delivers: ["finished"])
    expectSpecial(
      characters.output(in: second..<text.endIndex), Publishers.Sequence<[Character], Never>.self,
      delivers: ["b", "c", "finished"])
  }

  @Test func `their types can be named`() {
    let mapped: Just<String> = Just(1).map { "\($0)" }
    let tried: Result<Int, any Error>.Publisher = Just(1).tryMap { $0 }
    let some: Optional<Int>.Publisher = Just(1).filter { $0 > 0 }
    let failing: Result<Int, Broken>.Publisher = Just(1).setFailureType(to: Broken.self)
    let doubled: Publishers.Sequence<[Int], Never> = (1...3).publisher.map { $0 * 2 }
    #expect(mapped == Just("1"))
    #expect((try? tried.result.get()) == 1)
    #expect(some == 1.publisherOfOne)
    #expect(failing == Result.success(1).publisher)
    #expect(doubled == [2, 4, 6].publisher)
  }

  @Test func `functions, key paths and an expected general type are accepted`() {
    struct Reading { let value: Int }
    expectSpecial(Just(-1).map(abs), Just<Int>.self, delivers: ["1", "finished"])
    // A literal key path chooses the form that takes one, as in Combine.
    expectSpecial(
      Just(Reading(value: 2)).map(\.value), Publishers.MapKeyPath<Just<Reading>, Int>.self,
      delivers: ["2", "finished"])
    expectSpecial(
      ["1"].publisher.compactMap(Int.init), Publishers.Sequence<[Int], Never>.self,
      delivers: ["1", "finished"])
    let general: Publishers.Map<Just<Int>, Int> = Just(1).map { $0 + 1 }
    expectSpecial(general, Publishers.Map<Just<Int>, Int>.self, delivers: ["2", "finished"])
    let erased: AnyPublisher<Int, Broken> = Just(1).map { $0 }.setFailureType(to: Broken.self)
      .eraseToAnyPublisher()
    expectSpecial(erased, AnyPublisher<Int, Broken>.self, delivers: ["1", "finished"])
    func isGeneral<P: Publisher<Int, Never>>(_ publisher: P) -> Bool {
      type(of: publisher.map { $0 }) == Publishers.Map<P, Int>.self
    }
    #expect(isGeneral(Just(1)))
  }

  @Test func `closures run once, in the call, and may use values that cannot be sent`() {
    final class Counter { var count = 0 }
    let counter = Counter()
    let just = Just(1).map { number -> Int in
      counter.count += 1
      return number
    }
    let numbers = (1...3).publisher.filter { _ in
      counter.count += 1
      return true
    }
    #expect(counter.count == 4)
    for _ in 0..<2 {
      just.subscribe(TestSubscriber<Int, Never>())
      numbers.subscribe(TestSubscriber<Int, Never>())
    }
    #expect(counter.count == 4)
  }

  @Test func `a closure of a publisher without a value is not called`() {
    var calls = 0
    _ = Int?.none.publisher.map { _ in calls += 1 }
    _ = Int?.none.publisher.filter { _ in
      calls += 1; return true
    }
    _ = Result<Int, Broken>.failure(Broken()).publisher.map { _ in calls += 1 }
    _ = Result<Int, Broken>.success(1).publisher.mapError { error in
      calls += 1; return error
    }
    #expect(calls == 0)
  }

  @Test func `a negative number traps and says what to do`() async {
    await #expect(processExitsWith: .failure) { _ = Just(1).dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Just(1).output(in: -1..<1) }
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.dropFirst(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.output(in: -1..<1) }
  }
}

extension Int {
  fileprivate var publisherOfOne: Optional<Int>.Publisher { Optional(self).publisher }
}
