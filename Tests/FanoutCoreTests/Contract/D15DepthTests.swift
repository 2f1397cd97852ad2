import FanoutCore
import FanoutOperators
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// In processes of their own: a stack that bursts is a failure of one test, and nothing else.
struct D15DepthTests {
  @Test func `D15: a million values of a sequence, one at a time`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        for way in OneByOne.Way.allCases {
          let subscriber = OneByOne(way)
          (1...million).publisher.subscribe(subscriber)
          #expect(subscriber.count == million)
          #expect(subscriber.isCompleted)
          #expect(subscriber.depth == 1)
        }
      }
      #expect(isOver)
    }
  }

  @Test func `D15: likewise through operators`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        for way in OneByOne.Way.allCases {
          let subscriber = OneByOne(way)
          (1...300_000).publisher.unspecialized.filter { $0.isMultiple(of: 2) }.map { $0 }.scan(0) {
            $1
          }
          .prefix(100_000).subscribe(subscriber)
          #expect(subscriber.count == 100_000)
          #expect(subscriber.isCompleted)
          #expect(subscriber.depth == 1)
        }
      }
      #expect(isOver)
    }
  }

  @Test func `D15: likewise through operators that leave out, watch and go on`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        for way in OneByOne.Way.allCases {
          let subscriber = OneByOne(way)
          (1...50_001).failing.catch { _ in (1...50_000).publisher }
            .compactMap { $0.isMultiple(of: 2) ? $0 : nil }.tryMap { $0 }.replaceError(with: 0)
            .removeDuplicates().handleEvents(receiveRequest: { _ in }).print(to: NoStream())
            .dropFirst(10_000).subscribe(subscriber)
          #expect(subscriber.count == 40_000)
          #expect(subscriber.isCompleted)
          #expect(subscriber.depth == 1)
        }
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a million values of a subject, one at a time`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        for way in OneByOne.Way.allCases {
          let subject = PassthroughSubject<Int, Never>()
          let subscriber = OneByOne(way)
          subject.subscribe(subscriber)
          for value in 1...million { subject.send(value) }
          subject.send(completion: .finished)
          #expect(subscriber.count == million)
          #expect(subscriber.isCompleted)
          #expect(subscriber.depth == 1)
        }
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a chain of sends, each inside the delivery of the one before`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        for way in OneByOne.Way.allCases {
          let passthrough = PassthroughSubject<Int, Never>()
          let current = CurrentValueSubject<Int, Never>(0)
          for subject: any Subject<Int, Never> & Sendable in [passthrough, current] {
            let subscriber = OneByOne(way) { value in
              if value < 100_000 {
                subject.send(value + 1)
              } else {
                subject.send(completion: .finished)
              }
            }
            subject.subscribe(subscriber)
            subject.send(1)
            #expect(subscriber.count >= 100_000)
            #expect(subscriber.isCompleted)
            #expect(subscriber.depth == 1)
            subscriber.cancel()
          }
        }
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a subject that feeds itself through operators`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = OneByOne(.returning)
        let feed = subject.filter { $0 < 50_000 }.map { $0 + 1 }.subscribe(subject)
        subject.subscribe(subscriber)
        subject.send(0)
        #expect(subscriber.count == 50_001)
        #expect(subscriber.depth == 1)
        feed.cancel()
        subscriber.cancel()
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a burst that is handed over is delivered in a loop`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let subject = PassthroughSubject<Int, Never>()
        let subscriber = OneByOne(.asking) { value in
          if value == 0 { (1...100_000).forEach(subject.send) }
        }
        subject.subscribe(subscriber)
        subject.send(0)
        subject.send(completion: .finished)
        #expect(subscriber.count == 100_001)
        #expect(subscriber.depth == 1)
      }
      #expect(isOver)
    }
  }

  @Test func `D15: a hundred thousand cancels and requests inside one delivery`() async {
    await #expect(processExitsWith: .success) {
      let isOver = onSmallStack {
        let subject = CurrentValueSubject<Int, Never>(0)
        let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { subscriber, _ in
          for _ in 0..<100_000 {
            subscriber.request(.max(1))
            subject.sink { _ in }.cancel()
          }
          return .none
        }
        subject.subscribe(subscriber)
        subject.send(completion: .finished)
        #expect(subscriber.values == [0])
        #expect(subscriber.violations == [])
      }
      #expect(isOver)
    }
  }
}
