import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

@Suite(.timeLimit(.minutes(30))) struct Q1EndRaceTests {
  private typealias Source = TestPublisher<Int, NumberedError>
  private typealias Target = TestSubscriber<Int, NumberedError>

  @Test func `Q1: a failure on a thread and an end on another, often`() {
    for _ in 0..<rounds(1000) {
      let (outer, inner) = (Source(), [Source(), Source()])
      let (merged, flattened) = (Target(), Target())
      inner[0].merge(with: inner[1]).subscribe(merged)
      outer.flatMap { inner[$0] }.subscribe(flattened)
      outer.send(0)
      outer.send(1)
      let turn = Shared(0)
      let together: @Sendable () -> Void = {
        turn.increment()
        while turn.value < 3 { yieldThread() }
      }
      let isOver = race(
        {
          together()
          inner[0].send(completion: .failure(NumberedError(1)))
        },
        {
          together()
          outer.send(completion: .finished)
        },
        {
          together()
          inner[1].send(completion: .finished)
        })
      #expect(isOver)
      #expect(merged.events == [.subscription, .completion(.failure(NumberedError(1)))])
      #expect(flattened.events == [.subscription, .completion(.failure(NumberedError(1)))])
    }
  }

  @Test func `Q1: a failure that comes from a concurrent queue is not lost, often`() {
    let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
    for _ in 0..<rounds(2000) {
      let (subscriber, isOver) = (Shared<Subscribers.Completion<NumberedError>?>(nil), Gate())
      let sink = Fail<Int, NumberedError>(error: NumberedError(1)).receive(on: queue)
        .merge(with: Empty()).sink(
          receiveCompletion: {
            subscriber.value = $0
            isOver.open()
          }, receiveValue: { _ in })
      #expect(isOver.wait())
      #expect(subscriber.value == .failure(NumberedError(1)))
      sink.cancel()
    }
  }
}
