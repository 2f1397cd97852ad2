import Fanout
import FanoutLifetime
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A recorder collects and compares events, and releases its subscription.
struct RecorderTests {
  let upstream = PassthroughSubject<Int, Broken>()

  /// Returns the text of an expectation's error.
  private func complaint(_ body: () throws -> Void) -> String? {
    let error = #expect(throws: RecordingError.self) { try body() }
    #expect(error?.reason == .different)
    return error?.description
  }

  @Test func `a recorder collects every event`() throws {
    let recorder = upstream.record()
    upstream.send(1)
    upstream.send(2)
    upstream.send(completion: .failure(Broken()))
    #expect(recorder.values == [1, 2])
    #expect(recorder.completion == .failure(Broken()))
    #expect(recorder.violations == [])
    try recorder.expectValues([1, 2])
    try recorder.expectEvents([.value(1), .value(2), .completion(.failure(Broken()))])
    try recorder.expectEvents(recorder.events)
    try recorder.expectMarbles("12#")
  }

  @Test func `a recorder requests only the demand it was given`() throws {
    let recorder = (1...5).publisher.record(demand: .max(1))
    try recorder.expectValues([1])
    recorder.request(.max(2))
    try recorder.expectValues([1, 2, 3])
  }

  @Test func `expectValues marks the first difference`() {
    let recorder = (1...9).publisher.record()
    #expect(
      complaint { try recorder.expectValues([1, 2, 3, 4, 5, 7, 7]) }?
        .hasPrefix(
          """
          Other values were expected; the first difference is at index 5.
            …
            2: 3
            3: 4
            4: 5
          > 5: expected 7, recorded 6
            6: 7
            7: expected nothing, recorded 8
            8: expected nothing, recorded 9
          marbles: 123456789|
          recorded:
          """) == true)
  }

  @Test func `expectValues marks a missing value, and shortens a long list`() {
    let recorder = (1...2).publisher.record()
    let text = complaint { try recorder.expectValues(Array(1...30)) }
    #expect(text?.contains("> 2: expected 3, recorded nothing\n") == true)
    #expect(text?.contains("  7: expected 8, recorded nothing\n  …\nmarbles") == true)
    #expect(complaint { try recorder.expectValues([]) }?.contains("at index 0") == true)
  }

  @Test func `expectEvents marks the first difference`() {
    let recorder = upstream.record()
    upstream.send(1)
    upstream.send(completion: .finished)
    let text = complaint { try recorder.expectEvents([.value(1), .value(2)]) }
    #expect(text?.contains("> 1: expected 2, recorded finished\n") == true)
  }

  @Test func `expectMarbles marks the first difference, also at a value without a character`() {
    let recorder = upstream.record()
    upstream.send(10)
    upstream.send(20)
    // The expectation does not take the value's default letter for the expected one.
    let text = complaint { try recorder.expectMarbles("ab", values: ["a": 10]) }
    #expect(
      text?.hasPrefix(
        """
        Other marbles were expected; the first difference is marked.
          expected: ab
          recorded: ac   where c: 20
                     ^
        """) == true, "\(text ?? "")")
  }

  @Test func `expectMarbles marks the first difference of marbles too long for a line`() throws {
    let scheduler = TestScheduler()
    let recorder = upstream.record(scheduler: scheduler)
    upstream.send(1)
    scheduler.advance(by: .seconds(3600))
    upstream.send(2)
    let text = complaint { try recorder.expectMarbles("1--2") }
    #expect(
      text?.hasPrefix(
        """
        Other marbles were expected; the first difference is at index 1.
          0: 1 at 0
        > 1: expected 2 at 3, recorded 2 at 3600000
        recorded:
        """) == true, "\(text ?? "")")
    scheduler.advance(by: 1)
    #expect(complaint { try upstream.record().expectMarbles("1") }?.contains("    ^") == true)
  }

  @Test func `cancel() cancels a recorder's subscription`() {
    let source = TestPublisher<Int, Never>()
    let recorder = source.record()
    recorder.cancel()
    source.send(1)
    #expect(source.cancelCount == 1)
    #expect(recorder.values == [])
  }

  @Test func `a released recorder cancels its subscription and leaks nothing`() {
    let tracker = LifetimeTracker()
    let source = TestPublisher<Token, Never>()
    do {
      let recorder = tracker.track(source.record(), "recorder")
      source.send(tracker.track(Token(), "value"))
      #expect(recorder.values.count == 1)
      #expect(source.cancelCount == 0)
    }
    #expect(source.cancelCount == 1)
    #expect(tracker.survivors().isEmpty)
  }
}

struct RecorderRaceTests {
  @Test func `a recorder records from many threads`() {
    let upstream = PassthroughSubject<Int, Broken>()
    let recorder = upstream.record()
    let isDone = race(
      (0..<4).map { thread in { for i in 0..<100 { upstream.send(thread * 100 + i) } } })
    #expect(isDone)
    #expect(recorder.values.sorted() == Array(0..<400))
    #expect(recorder.violations == [])
  }
}
