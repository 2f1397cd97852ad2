import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A closure that cancels the subscription that it works for, in each of its calls in turn.
struct D7CancelInClosureTests {
  @Test(arguments: OperatorSample.all)
  func `D7: a cancel inside an operator's closure keeps the value from the subscriber`(
    sample: OperatorSample
  ) {
    for call in 1... {
      let held = Shared<TestSubscriber<Int, Never>?>(nil)
      let calls = Shared(0)
      let countAtCancel = Shared<Int?>(nil)
      let cold = ColdSource(sample) { value in
        calls.increment()
        if calls.value == call {
          countAtCancel.value = held.value?.values.count
          held.value?.cancel()
        }
        return value
      }
      let subscriber = TestSubscriber<Int, Never>()
      held.value = subscriber
      cold.publisher.subscribe(subscriber)
      held.value = nil
      #expect(subscriber.violations == [])
      guard let count = countAtCancel.value else {
        #expect(call > 1)
        #expect(subscriber.values == sample.output)
        return
      }
      #expect(subscriber.values == Array(sample.output.prefix(count)))
      #expect(subscriber.completion == nil)
      #expect(calls.value == call)
    }
  }

  @Test(arguments: OperatorSample.all)
  func `D7: also from a sink, and also of a subject's value`(sample: OperatorSample) {
    for call in 1... {
      let subject = PassthroughSubject<Int, Broken>()
      let held = Shared<AnyCancellable?>(nil)
      let calls = Shared(0)
      let received = Notes<Int>()
      let countAtCancel = Shared<Int?>(nil)
      let publisher = sample.apply(to: subject) { value in
        calls.increment()
        if calls.value == call {
          countAtCancel.value = received.all.count
          held.value?.cancel()
        }
        return value
      }
      held.value = publisher.sink(
        receiveCompletion: { _ in }, receiveValue: { received.append($0) })
      sample.input.forEach(subject.send)
      subject.send(completion: .finished)
      held.value = nil
      guard let count = countAtCancel.value else {
        #expect(call > 1)
        #expect(received.all == sample.output)
        return
      }
      #expect(received.all == Array(sample.output.prefix(count)))
    }
  }
}
