import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// The report of a test subscriber shows the violations and every recorded call.
struct ReportTests {
  @Test func `a report shows violations, marbles and the log with its times`() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, Broken>()
    let subscriber = TestSubscriber<Int, Broken>(initialDemand: .max(1), scheduler: scheduler)
    upstream.subscribe(subscriber)
    scheduler.advance(by: 2)
    upstream.send(10)
    scheduler.advance(by: 1)
    upstream.send(20)
    upstream.send(completion: .failure(Broken()))
    #expect(
      subscriber.report == """
        against the contract:
          20 was not asked for
        marbles: --a(b#)   where a: 10, b: 20
        recorded:
          0: subscription
          2: 10
          3: 20
          3: failure(Broken())
        """)
    #expect(subscriber.timedEvents.map(\.event) == subscriber.events)
  }

  @Test func `a report without a scheduler has no times`() {
    let subscriber = TestSubscriber<Int, Never>()
    #expect(subscriber.report == "recorded: nothing")
    (1...2).publisher.subscribe(subscriber)
    #expect(
      subscriber.report == """
        marbles: 12|
        recorded:
          subscription
          1
          2
          finished
        """)
    #expect(subscriber.timedEvents.allSatisfy { $0.time == nil })
  }

  @Test func `a report shortens a long log`() {
    let subscriber = TestSubscriber<Int, Never>()
    (1...1000).publisher.subscribe(subscriber)
    let lines = subscriber.report.split(separator: "\n")
    #expect(lines.first == "recorded:")
    #expect(lines.count == 202)
    #expect(lines.contains("  … 802 more …"))
    #expect(lines.last == "  finished")
  }
}
