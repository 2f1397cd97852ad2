import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct CurrentValueTests {
  @Test func `D17: value is what was accepted last, and setting it is sending it`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    #expect(subject.value == 0)
    subject.send(1)
    #expect(subject.value == 1)
    let subscriber = TestSubscriber<Int, Never>()
    subject.subscribe(subscriber)
    subject.value = 2
    subject.value += 1
    #expect(subject.value == 3)
    #expect(subscriber.values == [1, 2, 3])
    subscriber.cancel()
  }

  @Test func `D17: value is the newest also while its delivery still waits`() {
    let subject = CurrentValueSubject<Int, Broken>(0)
    let held = HeldSubscriber(at: 1)
    let subscriber = held.subscriber
    subject.subscribe(subscriber)
    let sender = TestThread { subject.send(1) }
    #expect(held.stands())
    subject.send(2)
    #expect(subject.value == 2)
    subject.value = 3
    #expect(subject.value == 3)
    #expect(subscriber.values == [0, 1])
    held.letGo()
    #expect(sender.join())
    #expect(subscriber.values == [0, 1, 2, 3])
    subscriber.cancel()
  }

  @Test func `D17: after the terminal neither send nor value changes anything`() {
    let subject = CurrentValueSubject<Int, Broken>(0)
    subject.send(1)
    subject.send(completion: .finished)
    subject.send(2)
    subject.value = 3
    #expect(subject.value == 1)
  }

  @Test func `O6: a value that is replaced is released at once`() {
    let gone = Notes<Int>()
    func token(_ id: Int) -> Token { Token(id) { gone.append(id) } }
    let subject = CurrentValueSubject<Token, Never>(token(0))
    #expect(gone.all == [])
    subject.send(token(1))
    #expect(gone.all == [0])
    let slow = AnySubscriber<Token, Never>(receiveSubscription: { $0.request(.max(1)) })
    subject.subscribe(slow)
    subject.value = token(2)
    #expect(gone.all == [0, 1])
    subject.send(token(3))
    #expect(gone.all == [0, 1, 2])
    subject.send(completion: .finished)
    #expect(gone.all == [0, 1, 2])
    #expect(subject.value.id == 3)
  }

  @Test func `O6: a passthrough subject keeps no value, delivered or dropped`() {
    let gone = Notes<Int>()
    let subject = PassthroughSubject<Token, Never>()
    let sink = subject.sink { _ in }
    let slow = AnySubscriber<Token, Never>()
    for id in 0..<3 {
      subject.send(Token(id) { gone.append(id) })
      #expect(gone.count == id + 1)
      if id == 0 { subject.receive(subscriber: slow) }
    }
    sink.cancel()
    subject.send(completion: .finished)
  }
}

struct CurrentValueRaceTests {
  @Test func `D17: value is told in one order with what a lone sender sends`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let told = Notes<Int>()
    let isOver = race(
      { (1...3000).forEach(subject.send) },
      { for _ in 0..<1000 { told.append(subject.value) } })
    #expect(isOver)
    #expect(zip(told.all, told.all.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(subject.value == 3000)
  }

  @Test func `D17: value is the last in the order of delivery when several threads send`() {
    for _ in 0..<100 {
      let subject = CurrentValueSubject<Int, Never>(0)
      let subscriber = TestSubscriber<Int, Never>()
      subject.subscribe(subscriber)
      let isOver = race(
        { (1...20).forEach(subject.send) }, { (101...120).forEach(subject.send) },
        { (201...220).forEach(subject.send) })
      #expect(isOver)
      #expect(subscriber.values.last == subject.value)
      #expect(subscriber.values.count == 61)
      subscriber.cancel()
    }
  }
}
