import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators that select values or reduce them to one, compared with arrays.
struct SelectingTests {
  private struct Outcome<Value: Equatable>: Equatable {
    let values: [Value]
    let hasFailed: Bool

    init(_ values: [Value], hasFailed: Bool = false) {
      (self.values, self.hasFailed) = (values, hasFailed)
    }

    init(_ value: Value?, hasFailed: Bool = false) {
      self.init(value.map { [$0] } ?? [], hasFailed: hasFailed)
    }
  }

  /// Subscribes with a demand that is raised by one until the end.
  private func outcome<P: Publisher>(_ publisher: P) -> Outcome<P.Output>
  where P.Output: Equatable {
    let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: .none)
    publisher.receive(subscriber: subscriber)
    var requests = 0
    while subscriber.completion == nil, requests < 1_000 {
      let before = subscriber.values.count
      subscriber.request(.max(1))
      #expect(subscriber.values.count <= before + 1)
      requests += 1
    }
    #expect(subscriber.violations == [])
    if case .failure = subscriber.completion { return Outcome(subscriber.values, hasFailed: true) }
    return Outcome(subscriber.values)
  }

  private static let inputs: [[Int]] = {
    var generator = SeededChance(seed: 16)
    return [[], [1], [3, 3, 3]]
      + (0..<60).map { _ in
        (0..<Int(generator.next() % 9)).map { _ in Int(generator.next() % 7) }
      }
  }()

  @Test(arguments: inputs)
  func `D8 D9: values are selected as from an array`(input: [Int]) {
    let source = input.publisher.unspecialized
    let isSmall: @Sendable (Int) -> Bool = { $0 < 4 }
    #expect(outcome(source.first(where: isSmall)) == Outcome(input.first(where: isSmall)))
    #expect(outcome(source.last()) == Outcome(input.last))
    #expect(outcome(source.last(where: isSmall)) == Outcome(input.last(where: isSmall)))
    #expect(outcome(source.prefix(while: isSmall)) == Outcome(Array(input.prefix(while: isSmall))))
    #expect(outcome(source.drop(while: isSmall)) == Outcome(Array(input.drop(while: isSmall))))
    #expect(outcome(source.output(at: 2)) == Outcome(Array(input.dropFirst(2).prefix(1))))
    #expect(outcome(source.output(in: 1..<4)) == Outcome(Array(input.prefix(4).dropFirst())))
    #expect(outcome(source.output(in: 2...)) == Outcome(Array(input.dropFirst(2))))
    #expect(outcome(source.output(in: ...1)) == Outcome(Array(input.prefix(2))))
    #expect(outcome(source.output(in: 3..<3)) == Outcome([]))
    #expect(outcome(source.output(in: 2...Int.max)) == Outcome(Array(input.dropFirst(2))))
    #expect(outcome(source.output(in: ...Int.max)) == Outcome(input))
    #expect(outcome(source.ignoreOutput()) == Outcome([]))
  }

  @Test(arguments: inputs)
  func `D8 D9: values are reduced as those of an array`(input: [Int]) {
    let source = input.publisher.unspecialized
    let isSmall: @Sendable (Int) -> Bool = { $0 < 4 }
    #expect(outcome(source.reduce(7) { $0 * 3 + $1 }) == Outcome([input.reduce(7) { $0 * 3 + $1 }]))
    #expect(outcome(source.count()) == Outcome([input.count]))
    #expect(outcome(source.max()) == Outcome(input.max()))
    #expect(outcome(source.min()) == Outcome(input.min()))
    #expect(outcome(source.contains(5)) == Outcome([input.contains(5)]))
    #expect(outcome(source.contains(where: isSmall)) == Outcome([input.contains(where: isSmall)]))
    #expect(outcome(source.allSatisfy(isSmall)) == Outcome([input.allSatisfy(isSmall)]))
  }

  @Test(arguments: inputs)
  func `D9: a closure that throws ends the values as in an array`(input: [Int]) {
    let source = input.publisher.unspecialized
    let test: @Sendable (Int) throws -> Bool = { number in
      if number == 6 { throw Broken() }
      return number < 4
    }
    let before = Array(input.prefix { $0 != 6 })
    let hasFailed = input.contains(6)
    #expect(
      outcome(source.tryFilter(test)) == Outcome(before.filter { $0 < 4 }, hasFailed: hasFailed))
    #expect(
      outcome(source.tryCompactMap { try test($0) ? $0 : nil })
        == Outcome(before.filter { $0 < 4 }, hasFailed: hasFailed))
    #expect(
      outcome(
        source.tryScan(0) { sum, number in
          _ = try test(number)
          return sum + number
        })
        == Outcome(before.indices.map { before[...$0].reduce(0, +) }, hasFailed: hasFailed))
    let reduced = outcome(
      source.tryReduce(0) { sum, number in
        _ = try test(number)
        return sum + number
      })
    #expect(reduced == (hasFailed ? Outcome([], hasFailed: true) : Outcome([input.reduce(0, +)])))
    let first = before.first { $0 < 4 }
    #expect(
      outcome(source.tryFirst(where: test)) == Outcome(first, hasFailed: hasFailed && first == nil))
    #expect(
      outcome(source.tryContains(where: test))
        == (first == nil && hasFailed ? Outcome([], hasFailed: true) : Outcome([first != nil])))
    #expect(
      outcome(source.tryLast(where: test))
        == (hasFailed ? Outcome([], hasFailed: true) : Outcome(input.last { $0 < 4 })))
    let large = before.first { $0 >= 4 }
    #expect(
      outcome(source.tryAllSatisfy(test))
        == (large == nil && hasFailed ? Outcome([], hasFailed: true) : Outcome([large == nil])))
    #expect(
      outcome(source.tryPrefix(while: test))
        == Outcome(Array(before.prefix { $0 < 4 }), hasFailed: hasFailed && large == nil))
    let failsInDrop = hasFailed && large == nil
    #expect(
      outcome(source.tryDrop(while: test))
        == (failsInDrop
          ? Outcome([], hasFailed: true) : Outcome(Array(input.drop { $0 < 4 }))))
    #expect(
      outcome(
        source.tryRemoveDuplicates { one, other in
          _ = try test(other)
          return one == other
        })
        == distinct(input))
  }

  /// The values without repetitions up to a 6, which is not compared if it is the first.
  private func distinct(_ input: [Int]) -> Outcome<Int> {
    var values: [Int] = []
    for (index, number) in input.enumerated() {
      if index > 0, number == 6 { return Outcome(values, hasFailed: true) }
      if index == 0 || input[index - 1] != number { values.append(number) }
    }
    return Outcome(values)
  }

  @Test func `a negative position traps and says what to do`() async {
    await #expect(processExitsWith: .failure) { _ = [1].publisher.unspecialized.output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = [1].publisher.unspecialized.output(in: -1..<2) }
    await #expect(processExitsWith: .failure) {
      _ = [1].publisher.unspecialized.output(in: -1...Int.max)
    }
  }

  @Test func `max and min deliver the first of equal values`() {
    let words = ["aa", "bb", "c", "d"].publisher
    #expect(outcome(words.max { $0.count < $1.count }) == Outcome(["aa"]))
    #expect(outcome(words.min { $0.count < $1.count }) == Outcome(["c"]))
    #expect(outcome(words.tryMax { $0.count < $1.count }) == Outcome(["aa"]))
    #expect(outcome(words.tryMin { $0.count < $1.count }) == Outcome(["c"]))
  }

  @Test func `D8: ignoreOutput requests everything, also for a subscriber that requests nothing`() {
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Never, Broken>(initialDemand: .none)
    upstream.ignoreOutput().subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
    upstream.send(1)
    upstream.send(completion: .failure(Broken()))
    #expect(subscriber.completion == .failure(Broken()))
  }

  @Test func `D8: drop(while:) requests another in the place of a value that it leaves out`() {
    let upstream = TestPublisher<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1))
    upstream.drop { $0 < 2 }.subscribe(subscriber)
    #expect(upstream.requests == [.max(1)])
    #expect(upstream.subscriptions[0].send(1) == .max(1))
    #expect(upstream.subscriptions[0].send(2) == .none)
    #expect(subscriber.values == [2])
    subscriber.cancel()
  }
}
