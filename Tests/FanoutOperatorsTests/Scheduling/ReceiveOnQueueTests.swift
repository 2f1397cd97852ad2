import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// `receive(on:)` with real queues and threads.
struct ReceiveOnQueueTests {
  enum Kind: CaseIterable {
    case serial, concurrent

    func make() -> DispatchQueue {
      DispatchQueue(label: "test", attributes: self == .concurrent ? .concurrent : [])
    }
  }

  @Test(arguments: Kind.allCases)
  func `D1, D2: a hundred thousand values keep their order`(kind: Kind) {
    let count = rounds(100_000)
    let isOver = Gate()
    let state = Shared((next: 0, isInOrder: true))
    let subject = PassthroughSubject<Int, Never>()
    let sink = subject.receive(on: kind.make()).sink(
      receiveCompletion: { _ in isOver.open() },
      receiveValue: { value in
        state.change {
          if value != $0.next { $0.isInOrder = false }
          $0.next += 1
        }
      })
    for value in 0..<count { subject.send(value) }
    subject.send(completion: .finished)
    #expect(isOver.wait())
    #expect(state.value.next == count)
    #expect(state.value.isInOrder)
    sink.cancel()
  }

  @Test func `D11: inside receive one may wait for another delivery of the same publisher`() {
    let subject = PassthroughSubject<Int, Never>()
    let hasOther = Gate()
    let isOver = Gate()
    let waiting = subject.receive(on: DispatchQueue(label: "waits")).sink { _ in
      #expect(hasOther.wait())
      isOver.open()
    }
    let other = subject.sink { if $0 == 2 { hasOther.open() } }
    subject.send(1)
    subject.send(2)
    #expect(isOver.wait())
    waiting.cancel()
    other.cancel()
  }

  @Test func `O2: a cancel from elsewhere lets go when the delivery is over`() {
    let entered = Gate()
    let mayLeave = Gate()
    let queue = DispatchQueue(label: "delivers")
    let subject = PassthroughSubject<Token, Never>()
    let released = Shared(0)
    let subscriber = Shared<TestSubscriber<Token, Never>?>(
      TestSubscriber { _, _ in
        entered.open()
        mayLeave.wait()
        return .none
      })
    if let subscriber = subscriber.value { subject.receive(on: queue).subscribe(subscriber) }
    for id in 0..<3 { subject.send(Token(id) { released.increment() }) }
    #expect(entered.wait())
    subscriber.value?.cancel()
    #expect(released.value == 0)
    mayLeave.open()
    queue.sync {}
    #expect(subscriber.value?.values.count == 1)
    #expect(released.value == 2)
    #expect(subscriber.value?.violations == [])
  }
}

struct ReceiveOnQueueRaceTests {
  @Test(arguments: ReceiveOnQueueTests.Kind.allCases)
  func `D1, D8: values sent and asked for by several threads`(kind: ReceiveOnQueueTests.Kind) {
    for _ in 0..<50 {
      let isOver = Gate()
      let subject = PassthroughSubject<Int, Never>()
      let subscriber = TestSubscriber<Int, Never>(
        initialDemand: .max(200), whenCompleted: { _ in isOver.open() })
      subject.receive(on: kind.make()).subscribe(subscriber)
      let areDone = race(
        { for value in 0..<100 { subject.send(value) } },
        { for value in 100..<200 { subject.send(value) } },
        { for _ in 0..<10 { subscriber.request(.max(1)) } })
      #expect(areDone)
      subject.send(completion: .finished)
      #expect(isOver.wait())
      #expect(subscriber.values.filter { $0 < 100 } == Array(0..<100))
      #expect(subscriber.values.filter { $0 >= 100 } == Array(100..<200))
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: ReceiveOnQueueTests.Kind.allCases)
  func `D7, O2: a cancel that races with deliveries`(kind: ReceiveOnQueueTests.Kind) {
    for _ in 0..<100 {
      let queue = kind.make()
      let subject = PassthroughSubject<Token, Never>()
      let released = Shared(0)
      let subscriber = Shared<TestSubscriber<Token, Never>?>(TestSubscriber())
      if let subscriber = subscriber.value { subject.receive(on: queue).subscribe(subscriber) }
      let areDone = race(
        { for id in 0..<50 { subject.send(Token(id) { released.increment() }) } },
        { subscriber.value?.cancel() })
      #expect(areDone)
      // Whatever was scheduled has run by then.
      queue.sync(flags: .barrier) {}
      #expect(subscriber.value?.violations == [])
      subscriber.value = nil
      #expect(released.value == 50)
    }
  }
}
