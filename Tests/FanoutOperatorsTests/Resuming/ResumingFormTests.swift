import FanoutCore
import FanoutOperators
import TestFixtures
import TestThreads
import Testing

/// The special forms of `retry`, `prepend` and `append`: their types, and the same values as from the general
/// forms.
struct ResumingFormTests {
  @Test func `Just's operators deliver the same as those of every publisher`() {
    let just = Just(3)
    let any = just.eraseToAnyPublisher()
    expectSpecial(just.retry(2), Just<Int>.self, as: any.retry(2))
    let sequence = Publishers.Sequence<[Int], Never>.self
    expectSpecial(just.prepend(1, 2), sequence, as: any.prepend(1, 2))
    expectSpecial(just.prepend(1...2), sequence, as: any.prepend(1...2))
    expectSpecial(just.append(1, 2), sequence, as: any.append(1, 2))
    expectSpecial(just.append(1...2), sequence, as: any.append(1...2))
    expectSpecial(just.append(), sequence, as: any.append())
  }

  @Test(arguments: [nil, 3])
  func `retry of an optional delivers the same as that of every publisher`(number: Int?) {
    let one = number.publisher
    expectSpecial(
      one.retry(2), Optional<Int>.Publisher.self, as: one.eraseToAnyPublisher().retry(2))
  }

  @Test(arguments: [.success(3), .failure(Broken())] as [Result<Int, Broken>])
  func `retry of a result delivers the same as that of every publisher`(
    result: Result<Int, Broken>
  ) {
    let one = result.publisher
    expectSpecial(
      one.retry(2), Result<Int, Broken>.Publisher.self, as: one.eraseToAnyPublisher().retry(2))
  }

  @Test(arguments: [[], [3], [1, 1, 5]])
  func `a sequence's operators deliver the same as those of every publisher`(numbers: [Int]) {
    let source = numbers.publisher
    let any = source.eraseToAnyPublisher()
    let type = Publishers.Sequence<[Int], Never>.self
    expectSpecial(source.prepend(8, 9), type, as: any.prepend(8, 9))
    expectSpecial(source.prepend(8...9), type, as: any.prepend(8...9))
    expectSpecial(source.prepend([8, 9].publisher), type, as: any.prepend([8, 9].publisher))
    expectSpecial(source.append(8, 9), type, as: any.append(8, 9))
    expectSpecial(source.append(8...9), type, as: any.append(8...9))
    expectSpecial(source.append([8, 9].publisher), type, as: any.append([8, 9].publisher))
    expectSpecial(
      source.append(Just(8)),
      Publishers.Concatenate<Publishers.Sequence<[Int], Never>, Just<Int>>.self,
      as: any.append(Just(8)))
  }

  @Test func `their types can be named`() {
    let joined: Publishers.Sequence<[Int], Never> = Just(1).append(2).prepend(0)
    #expect(joined == [0, 1, 2].publisher)
  }

  @Test func `a negative number of retries traps and says what to do`() async {
    await #expect(processExitsWith: .failure) { _ = Optional(1).publisher.retry(-1) }
    await #expect(processExitsWith: .failure) {
      _ = Result<Int, Broken>.success(1).publisher.retry(-1)
    }
  }
}
