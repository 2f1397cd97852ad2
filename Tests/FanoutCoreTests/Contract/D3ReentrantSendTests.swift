import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D3ReentrantSendTests {
  @Test(arguments: SubjectKind.allCases)
  func `D3: a send inside receive is delivered after the current value`(kind: SubjectKind) {
    let subject = kind.make()
    let log = Notes<String>()
    let sink = subject.sink(receiveCompletion: { _ in }) { value in
      log.append("begin \(value)")
      if (1..<3).contains(value) { subject.send(value + 1) }
      log.append("end \(value)")
    }
    subject.send(1)
    // The outer send has returned, so everything has been delivered.
    let replayed = kind.replay.flatMap { ["begin \($0)", "end \($0)"] }
    #expect(
      log.all == replayed + ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"])
    sink.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D3: it waits until the current value has reached everybody`(kind: SubjectKind) {
    let subject = kind.make()
    let log = Notes<String>()
    let names = ["a", "b", "c"]
    let sinks = names.map { name in
      subject.sink(receiveCompletion: { _ in }) { value in
        log.append("\(name)\(value)")
        // Every subscriber sends the next hundred, once.
        if value > 0, value < 100 { subject.send(value + 100) }
      }
    }
    let replayed = log.count
    subject.send(1)
    let expected = ["a1", "b1", "c1"] + (0..<3).flatMap { _ in ["a101", "b101", "c101"] }
    #expect(Array(log.all.dropFirst(replayed)) == expected)
    sinks.forEach { $0.cancel() }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D3: a terminal sent inside receive waits likewise`(kind: SubjectKind) {
    let subject = kind.make()
    let first = TestSubscriber<Int, Broken> { _, value in
      if value == 1 {
        subject.send(completion: .finished)
        subject.send(99)
      }
      return .none
    }
    let second = TestSubscriber<Int, Broken>()
    subject.subscribe(first)
    subject.subscribe(second)
    subject.send(1)
    for subscriber in [first, second] {
      #expect(subscriber.values == kind.replay + [1])
      #expect(subscriber.events.last == .completion(.finished))
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D3: a send inside the completion is ignored`(kind: SubjectKind) {
    let subject = kind.make()
    let ending: @Sendable (TestSubscriber<Int, Broken>) -> Void = { _ in
      subject.send(5)
      subject.send(completion: .finished)
    }
    let subscribers = (0..<2).map { _ in TestSubscriber<Int, Broken>(whenCompleted: ending) }
    for subscriber in subscribers { subject.subscribe(subscriber) }
    subject.send(completion: .failure(Broken()))
    for subscriber in subscribers {
      #expect(subscriber.values == kind.replay)
      #expect(subscriber.completion == .failure(Broken()))
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D3: the newest value is told inside receive before it is delivered`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let told = Notes<[Int]>()
    let sink = subject.sink { value in
      if value < 3 { subject.value += 1 }
      told.append([value, subject.value])
    }
    #expect(told.all == [[0, 1], [1, 2], [2, 3], [3, 3]])
    sink.cancel()
  }

  @Test func `D3: two subjects that feed each other do not nest within one subscriber`() {
    let ping = PassthroughSubject<Int, Never>()
    let pong = PassthroughSubject<Int, Never>()
    let toPong = ping.sink { if $0 < 50 { pong.send($0 + 1) } }
    let toPing = pong.sink { ping.send($0 + 1) }
    let subscriber = TestSubscriber<Int, Never>()
    ping.subscribe(subscriber)
    ping.send(0)
    #expect(subscriber.values == Array(stride(from: 0, through: 50, by: 2)))
    #expect(subscriber.violations == [])
    toPong.cancel()
    toPing.cancel()
    subscriber.cancel()
  }
}
