import Dispatch
import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Operators with a timer, while one thread moves the time and others send, request and cancel.
@Suite(.noLeaks) struct TimingRaceTests {
  @Test(arguments: TimedOperator.allCases)
  func `D7, O2: a cancel against a timer that fires`(operation: TimedOperator) {
    for _ in 0..<rounds(60) {
      let scheduler = TestScheduler()
      let subject = PassthroughSubject<Token, Broken>()
      let subscriber = TestSubscriber<Int, Broken>()
      let released = Shared(0)
      operation.over(subject, scheduler).map(\.id).subscribe(subscriber)
      let isOver = race(
        {
          for number in 0..<20 {
            subject.send(Token(number) { released.increment() })
          }
        },
        { for _ in 0..<50 { scheduler.advance(by: 7) } },
        { subscriber.cancel() })
      #expect(isOver)
      #expect(released.value == 20)
      // The time may have been up before the cancel.
      #expect(subscriber.completion == nil || operation == .timeout)
      #expect(subscriber.violations == [])
      scheduler.advance(by: 100)
    }
  }

  @Test(arguments: TimedOperator.allCases)
  func `D4, D9: values, time and requests from three threads: the last value, then the end`(
    operation: TimedOperator
  ) {
    for _ in 0..<rounds(60) {
      let scheduler = TestScheduler()
      let subject = PassthroughSubject<Int, Broken>()
      let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(5))
      // A large buffer, so that nothing is dropped because it is not requested.
      let upstream = subject.buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
      operation.over(upstream, scheduler).subscribe(subscriber)
      let isSent = Shared(false)
      let isOver = race(
        {
          for value in 1...100 { subject.send(value) }
          subject.send(completion: .failure(Broken()))
          isSent.value = true
        },
        { while !isSent.value { scheduler.advance(by: 1) } },
        { for _ in 1...50 { subscriber.request(.max(2)) } })
      #expect(isOver)
      scheduler.advance(by: 100)
      let values = subscriber.values
      #expect(zip(values, values.dropFirst()).allSatisfy(<))
      if operation == .timeout, subscriber.completion == .finished {
        // The time was up first: the thread that moves it is faster than the one that sends.
        #expect(values == Array(values.indices.map { $0 + 1 }))
      } else {
        #expect(values.last == 100)
        #expect(subscriber.completion == .failure(Broken()))
        if operation == .delay { #expect(values == Array(1...100)) }
      }
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }

  @Test func `D1: on a scheduler of several threads, deliveries do not overlap`() {
    let queue = DispatchQueue(label: "several", attributes: .concurrent)
    for operation in [TimedOperator.delay, .throttle, .debounce, .collect] {
      let subject = PassthroughSubject<Int, Broken>()
      let ended = Gate()
      let subscriber = TestSubscriber<Int, Broken>(whenCompleted: { _ in ended.open() })
      operation.over(subject, queue).subscribe(subscriber)
      for value in 1...2000 { subject.send(value) }
      subject.send(completion: .finished)
      ended.wait()
      #expect(subscriber.values.last == 2000)
      #expect(zip(subscriber.values, subscriber.values.dropFirst()).allSatisfy(<))
      #expect(subscriber.violations == [])
      subscriber.cancel()
    }
  }
}
