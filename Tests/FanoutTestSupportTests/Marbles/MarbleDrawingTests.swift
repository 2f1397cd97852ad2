import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// A record is drawn as a readable line.
struct MarbleDrawingTests {
  private func timed(_ values: [(Int, Int)]) -> [TimedEvent<Int, Broken>] {
    [TimedEvent(.subscription, at: 0)]
      + values.map { TimedEvent(.value($0.1), at: .init($0.0)) }
  }

  @Test func `a value of one character is drawn as that character, and others get letters`() {
    #expect(Marbles(timed([(0, 7), (2, 10), (3, 20), (3, 10)])) == "7-a(ba)")
  }

  @Test func `a letter that is itself a value stands for no other value`() {
    let events: [TimedEvent<String, Never>] = ["long", "a", "-", "long"].map {
      TimedEvent(.value($0), at: nil)
    }
    #expect(Marbles(events) == "bacb")
  }

  @Test func `a given character stands for its own value only`() {
    let events = timed([(0, 10), (1, 1), (2, 20), (3, 30)])
    #expect(Marbles(events, values: ["x": 10, "1": 20, "-": 30]) == "xa1b")
  }

  @Test func `without a clock each event has a tick of its own`() {
    let events: [TimedEvent<Int, Broken>] = [
      TimedEvent(.subscription, at: nil), TimedEvent(.value(1), at: nil),
      TimedEvent(.value(2), at: nil), TimedEvent(.completion(.failure(Broken())), at: nil),
    ]
    #expect(Marbles(events) == "12#")
  }

  @Test func `time in a line never goes back`() {
    #expect(Marbles(timed([(3, 1), (2, 2), (-4, 3)])) == "---(123)")
  }

  @Test func `more values than letters are still drawn distinctly`() {
    let marbles = Marbles(timed((10..<100).map { ($0, $0) }))
    #expect(Set(marbles.marks.map(\.sign)).count == 90)
    #expect((try? Marbles(parsing: marbles.description)) == marbles)
  }

  @Test func `a record that breaks the contract can be drawn but not parsed`() {
    let subscriber = TestSubscriber<Int, Never>()
    subscriber.receive(completion: .finished)
    _ = subscriber.receive(1)
    let marbles = Marbles(subscriber.timedEvents)
    #expect("\(marbles)" == "|1")
    #expect(throws: MarbleError.self) { try Marbles(parsing: marbles.description) }
  }
}
