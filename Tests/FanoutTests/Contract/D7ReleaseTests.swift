import Fanout
import TestThreads
import Testing

struct D7ReleaseTests {
  /// A value whose release cancels.
  private final class Value: @unchecked Sendable {
    let number: Int
    let whenReleased: () -> Void

    init(_ number: Int, whenReleased: @escaping () -> Void) {
      self.number = number
      self.whenReleased = whenReleased
    }

    deinit { whenReleased() }
  }

  private final class Reader: Subscriber, @unchecked Sendable {
    typealias Input = Value
    typealias Failure = Never

    var subscription: (any Subscription)?
    var numbers: [Int] = []

    func receive(subscription: any Subscription) { self.subscription = subscription }
    func receive(_ input: Value) -> Subscribers.Demand {
      numbers.append(input.number)
      return .none
    }
    func receive(completion: Subscribers.Completion<Never>) {}
  }

  private struct Newest: ReplayCache {
    var contents: [Value] = []
    mutating func record(_ value: Value) { contents = [value] }
  }

  @Test func `D7: a cancel by the release of the value before keeps the next one back`() {
    let policies: [Replay<Value>] = [
      .last(1), .sinceKeyframe { _ in true }, .custom { Newest() },
    ]
    for policy in policies {
      let subject = ReplaySubject<Value, Never>(policy)
      let reader = Reader()
      subject.subscribe(reader)
      for number in 1...4 {
        subject.send(
          Value(number) { [weak reader] in
            if number == 1 { reader?.subscription?.cancel() }
          })
      }
      reader.subscription?.request(.max(4))
      #expect(reader.numbers == [1])
    }
  }

  @Test func `D6: who begins while the next value goes round gets the one it joined at first`() {
    for subject in [ReplaySubject<Int, Never>(.latest), ReplaySubject<Int, Never>(.all)] {
      subject.send(0)
      let isInside = Gate()
      let goesOn = Gate()
      let first = subject.sink { value in
        guard value == 1 else { return }
        isInside.open()
        goesOn.wait()
      }
      let received = Shared<[Int]>([])
      let thread = Shared<TestThread?>(nil)
      let late = AnySubscriber<Int, Never>(
        receiveSubscription: { subscription in
          subscription.request(.unlimited)
          thread.value = TestThread { subject.send(1) }
          isInside.wait()
        },
        receiveValue: { value in
          received.value.append(value)
          return .none
        })
      subject.subscribe(late)
      goesOn.open()
      #expect(thread.value?.join() == true)
      #expect(received.value == [0, 1])
      first.cancel()
      subject.send(completion: .finished)
    }
  }
}
