import FanoutCore
import FanoutTestSupport
import Foundation
import TestFixtures
import TestThreads
import Testing

struct RecordTests {
  private struct Offline: Error, Equatable, Codable {
    var code = 7
  }

  private let evening = Record<Int, Offline> { recording in
    for number in 1...3 { recording.receive(number) }
    recording.receive(completion: .failure(Offline()))
  }

  @Test func `plays values and failure to each subscriber`() {
    for _ in 0..<2 {
      let subscriber = TestSubscriber<Int, Offline>()
      evening.subscribe(subscriber)
      #expect(subscriber.values == [1, 2, 3])
      #expect(subscriber.completion == .failure(Offline()))
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D9: a failure does not overtake values that wait for demand`() {
    let subscriber = TestSubscriber<Int, Offline>(initialDemand: .max(2))
    evening.subscribe(subscriber)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    subscriber.request(.max(1))
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.completion == .failure(Offline()))
    #expect(subscriber.violations == [])
  }

  @Test func `D9: without values the completion needs no demand`() {
    let subscriber = TestSubscriber<Int, Offline>(initialDemand: .none)
    Record<Int, Offline> { $0.receive(completion: .failure(Offline())) }.subscribe(subscriber)
    #expect(subscriber.completion == .failure(Offline()))
    #expect(subscriber.violations == [])
  }

  @Test func `D7: a cancel inside receive is final`() {
    for last in 1...3 {
      let subscriber = TestSubscriber<Int, Offline>(
        demandFor: { subscriber, number in
          if number == last { subscriber.cancel() }
          return .none
        })
      evening.subscribe(subscriber)
      #expect(subscriber.values == Array(1...last))
      #expect(subscriber.completion == nil)
      #expect(subscriber.violations == [])
    }
  }

  @Test func `D1 D15: requests inside receive neither nest nor grow the stack`() {
    let count = 100_000
    let long = Record<Int, Offline>(
      output: Array(1...count), completion: .failure(Offline(code: 1)))
    let subscriber = TestSubscriber<Int, Offline>(
      initialDemand: .max(1),
      demandFor: { subscriber, _ in
        subscriber.request(.max(1))
        return .none
      })
    long.subscribe(subscriber)
    #expect(subscriber.values.count == count)
    #expect(subscriber.completion == .failure(Offline(code: 1)))
    #expect(subscriber.violations == [])
  }

  @Test func `O2: a cancel and the completion release values, failure and subscriber`() {
    struct Lost: Error { let token: Token }
    func expectReleased(_ end: (TestSubscriber<Token, Lost>) -> Void) {
      weak var value: Token?
      weak var failure: Token?
      weak var gone: TestSubscriber<Token, Lost>?
      var subscription: (any Subscription)?
      do {
        let tokens = [Token(), Token()]
        (value, failure) = (tokens[0], tokens[1])
        let subscriber = TestSubscriber<Token, Lost>(initialDemand: .none)
        gone = subscriber
        Record(output: [tokens[0]], completion: .failure(Lost(token: tokens[1])))
          .subscribe(subscriber)
        subscription = subscriber.subscription
        end(subscriber)
      }
      withExtendedLifetime(subscription) {
        #expect(value == nil)
        #expect(failure == nil)
        #expect(gone == nil)
      }
    }
    expectReleased { $0.cancel() }
    expectReleased { $0.request(.max(1)) }
  }

  @Test func `a recording without a completion finishes`() {
    let record = Record<Int, Offline> { $0.receive(1) }
    #expect(record.recording.output == [1])
    #expect(record.recording.completion == .finished)
    #expect(record == Record(output: [1], completion: .finished))
    #expect(record == Record(recording: .init(output: [1])))
    #expect(record != evening)
    let empty = Record<Int, Offline>.Recording()
    #expect(empty.output == [] && empty.completion == .finished)
  }

  @Test func `is encoded and decoded as Combine's`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(evening), as: UTF8.self)
    #expect(
      text
        == #"{"recording":{"completion":{"error":{"code":7},"success":false},"output":[1,2,3]}}"#)
    let decoded = try JSONDecoder().decode(Record<Int, Offline>.self, from: Data(text.utf8))
    #expect(decoded == evening)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(
        Record<Int, Offline>.Recording.self, from: Data(#"{"output":[1]}"#.utf8))
    }
  }

  @Test func `encode(into:) writes the same as encode(to:)`() throws {
    struct Into: Encodable {
      let recording: Record<Int, Offline>.Recording
      func encode(to encoder: any Encoder) throws { try recording.encode(into: encoder) }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      try encoder.encode(Into(recording: evening.recording)) == encoder.encode(evening.recording))
  }

  @Test func `an addition to a complete recording traps and says what to do`() async {
    await #expect(processExitsWith: .failure) {
      var recording = Record<Int, Never>.Recording(output: [1])
      recording.receive(2)
    }
    await #expect(processExitsWith: .failure) {
      var recording = Record<Int, Never>.Recording(output: [1])
      recording.receive(completion: .finished)
    }
  }
}
