import Fanout
import Testing

/// A model whose asynchronous methods run where they are called.
final class Steps {
  private(set) var taken: [Int] = []

  func walk(_ numbers: some Publisher<Int, Never>) async {
    for await number in numbers.values { taken.append(number) }
  }

  func walkAll(_ numbers: ReplaySubject<Int, Never>) async {
    for await number in numbers.values { taken.append(number) }
  }
}

/// Receives on the actor of the code that calls this.
func total(of numbers: PassthroughSubject<Int, Never>, sending sent: [Int]) async -> Int {
  let total = CurrentValueSubject<Int, Never>(0)
  let adding = numbers.sink(isolation: #isolation) { total.value += $0 }
  for number in sent { numbers.send(number) }
  adding.cancel()
  return total.value
}

actor Account {
  private(set) var balance = 0
  private var kept: AnyCancellable?

  func follow(_ payments: PassthroughSubject<Int, Never>) {
    kept = payments.sink(isolation: #isolation) { _ in
      self.kept = nil
    } receiveValue: {
      self.balance += $0
    }
    payments.send(2)
    #expect(balance == 2)
  }

  func total() async -> Int {
    await CallerIsolationClientTests.total(of: PassthroughSubject(), sending: [1, 2])
  }
}

struct StepsTests {
  @MainActor
  @Test func `loops run where they are called`() async {
    let steps = Steps()
    await steps.walk([1, 2].publisher)
    let replayed = ReplaySubject<Int, Never>(.all)
    replayed.send(3)
    replayed.send(completion: .finished)
    await steps.walkAll(replayed)
    #expect(steps.taken == [1, 2, 3])
  }

  @Test func `an actor receives on itself`() async {
    let payments = PassthroughSubject<Int, Never>()
    let account = Account()
    await account.follow(payments)
    await Task.detached { payments.send(3) }.value
    while await account.balance < 5 { await Task.yield() }
    payments.send(completion: .finished)
  }

  @Test func `a function receives on the actor of its caller`() async {
    #expect(await Account().total() == 3)
    #expect(await total(of: PassthroughSubject(), sending: [1, 2, 3]) == 6)
  }

  @Test func `a future, an asynchronous map and a first value`() async {
    #expect(await Future<Int, Never> { 1 }.value == 1)
    let doubled = [1, 2].publisher.asyncMap(maxConcurrent: 1) { number in number * 2 }
    var received: [Int] = []
    for await number in doubled.values { received.append(number) }
    #expect(received == [2, 4])
  }
}
