import Fanout
import FanoutTestSupport
import TestFixtures
import Testing

/// Tens are keyframes.
private func isKeyframe(_ value: Int) -> Bool { value % 10 == 0 }

struct KeyframeStartTests {
  private let source = PassthroughSubject<Int, Never>()

  private func subscriber(_ shared: some Publisher<Int, Never>) -> TestSubscriber<Int, Never> {
    let subscriber = TestSubscriber<Int, Never>()
    shared.subscribe(subscriber)
    return subscriber
  }

  @Test func `over the limit a newcomer waits for the next keyframe, and nobody else notices`() {
    let shared = source.share(replay: .sinceKeyframe(limit: .count(3), where: isKeyframe))
    let first = subscriber(shared)
    for value in 10...12 { source.send(value) }
    let second = subscriber(shared)
    #expect(second.values == [10, 11, 12])
    source.send(13)
    let third = subscriber(shared)
    nonisolated(unsafe) var sunk: [Int] = []
    let sink = shared.sink { sunk.append($0) }
    for value in 14...21 { source.send(value) }
    let fourth = subscriber(shared)
    #expect(first.values == Array(10...21))
    #expect(second.values == Array(10...21))
    #expect(third.values == [20, 21] && sunk == [20, 21] && fourth.values == [20, 21])
    sink.cancel()
    for subscriber in [first, second, third, fourth] { subscriber.cancel() }
  }

  @Test func `the beginning counts as a start, or it does not`() {
    for fromBeginning in [true, false] {
      let shared = source.share(
        replay: .sinceKeyframe(fromBeginning: fromBeginning, where: isKeyframe))
      let first = subscriber(shared)
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(slow)
      for value in 7...11 { source.send(value) }
      let late = subscriber(shared)
      slow.request(.unlimited)
      let all = fromBeginning ? Array(7...11) : [10, 11]
      #expect(first.values == all && slow.values == all && late.values == [10, 11])
      for subscriber in [first, slow, late] { subscriber.cancel() }
    }
  }

  @Test func `a cost limits it too`() {
    let shared = source.share(
      replay: .sinceKeyframe(limit: .cost(21, of: { $0 }), where: isKeyframe))
    let first = subscriber(shared)
    source.send(10)
    source.send(11)
    // The limit itself is not too much.
    let second = subscriber(shared)
    #expect(second.values == [10, 11])
    source.send(12)
    let third = subscriber(shared)
    // A keyframe that alone costs too much is no start for those who come later.
    source.send(40)
    let fourth = subscriber(shared)
    source.send(41)
    source.send(20)
    #expect(first.values == [10, 11, 12, 40, 41, 20])
    #expect(third.values == [40, 41, 20] && fourth.values == [20])
    for subscriber in [first, second, third, fourth] { subscriber.cancel() }
  }

  @Test func `a new connection begins with a cost of 0`() {
    let shared = source.share(
      replay: .sinceKeyframe(limit: .cost(21, of: { $0 }), where: isKeyframe))
    let first = subscriber(shared)
    source.send(10)
    source.send(11)
    first.cancel()
    let second = subscriber(shared)
    source.send(7)
    source.send(8)
    let third = subscriber(shared)
    #expect(second.values == [7, 8] && third.values == [7, 8])
    second.cancel()
    third.cancel()
  }

  @Test func `who waits gets the end`() {
    let shared = source.share(replay: .sinceKeyframe(limit: .count(1), where: isKeyframe))
    let first = subscriber(shared)
    source.send(10)
    source.send(11)
    let waiting = subscriber(shared)
    source.send(completion: .finished)
    let late = subscriber(shared)
    #expect(first.values == [10, 11] && first.completion == .finished)
    #expect(waiting.values == [] && waiting.completion == .finished)
    #expect(late.values == [] && late.completion == .finished)
  }

  @Test func `who waits can leave, also while others start`() {
    let shared = source.share(replay: .sinceKeyframe(limit: .count(1), where: isKeyframe))
    let first = subscriber(shared)
    source.send(10)
    source.send(11)
    nonisolated(unsafe) var second: AnyCancellable?
    nonisolated(unsafe) var got: [String] = []
    let one = shared.sink {
      got.append("one \($0)")
      second?.cancel()
    }
    second = shared.sink { got.append("two \($0)") }
    let third = shared.sink { got.append("three \($0)") }
    source.send(20)
    source.send(21)
    #expect(got == ["one 20", "three 20", "one 21", "three 21"])
    one.cancel()
    third.cancel()
    first.cancel()
    second = nil
  }

  @Test func `L5: with a new connection those who wait start at its beginning, if that counts`() {
    for fromBeginning in [true, false] {
      let shared = source.multicast(
        replay: .sinceKeyframe(
          limit: .count(1), fromBeginning: fromBeginning, where: isKeyframe))
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(slow)
      let connection = shared.connect()
      source.send(10)
      source.send(11)
      let waiting = subscriber(shared)
      connection.cancel()
      let again = shared.connect()
      source.send(12)
      source.send(20)
      #expect(waiting.values == (fromBeginning ? [12, 20] : [20]))
      slow.request(.unlimited)
      #expect(slow.values == (fromBeginning ? [10, 11, 12, 20] : [10, 11, 20]))
      again.cancel()
      slow.cancel()
      waiting.cancel()
    }
  }

  @Test func `O6: over the limit the cache holds nothing`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share(replay: .sinceKeyframe(limit: .count(2)) { $0.id == 1 })
    let sink = shared.sink { _ in }
    var tokens: [WeakReference] = []
    for number in 1...3 {
      let token = Token(number)
      tokens.append(WeakReference(token))
      source.send(token)
      if number < 3 { #expect(tokens.allSatisfy { $0.isAlive }) }
    }
    #expect(tokens.allSatisfy { !$0.isAlive })
    sink.cancel()
  }

  @Test func `B4: a laggard that exceeds both limits waits for the next keyframe`() {
    let shared = source.share(
      replay: .sinceKeyframe(limit: .count(4), where: isKeyframe),
      backlog: .size(2, whenFull: .rejoin))
    let keeping = shared.sink { _ in }
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    slow.request(.max(1))
    for value in 10...13 { source.send(value) }
    // It lags within what newcomers get.
    slow.request(.max(1))
    #expect(slow.values == [10, 11])
    for value in 14...19 { source.send(value) }
    slow.request(.max(1))
    #expect(slow.values == [10, 11])
    for value in 20...21 { source.send(value) }
    slow.request(.unlimited)
    #expect(slow.values == [10, 11, 20, 21])
    slow.cancel()
    keeping.cancel()
  }

  @Test
  func `requests: asked at once and again while somebody waits, and not without a connection`() {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let shared = source.multicast(
      replay: .sinceKeyframe(fromBeginning: false, where: isKeyframe)
        .requesting(every: .seconds(1), scheduler: clock) { asked += 1 })
    let first = subscriber(shared)
    clock.advance(by: .seconds(5))
    #expect(asked == 0)
    let connection = shared.connect()
    #expect(asked == 1)
    clock.advance(by: .seconds(3))
    #expect(asked == 4)
    source.send(10)
    clock.advance(by: .seconds(3))
    #expect(asked == 4 && first.values == [10])
    connection.cancel()
    let again = shared.connect()
    #expect(asked == 5)
    first.cancel()
    clock.advance(by: .seconds(3))
    #expect(asked == 5)
    let second = subscriber(shared)
    #expect(asked == 6)
    again.cancel()
    clock.advance(by: .seconds(3))
    #expect(asked == 6)
    second.cancel()
  }

  @Test func `requests: a keyframe that the closure sends arrives`() throws {
    let clock = TestScheduler()
    let shared = source.share(
      replay: .sinceKeyframe(fromBeginning: false, where: isKeyframe)
        .requesting(every: .seconds(1), scheduler: clock) { [source] in source.send(30) })
    let first = subscriber(shared)
    source.send(31)
    #expect(first.values == [30, 31])
    first.cancel()
    try clock.run()
  }

  @Test func `undelivered: the first subscriber takes what came while nobody was there`() {
    let subject = ReplaySubject<Int, Never>(.undelivered(3))
    for value in 1...5 { subject.send(value) }
    let first = subscriber(subject)
    let second = subscriber(subject)
    subject.send(6)
    #expect(first.values == [3, 4, 5, 6] && second.values == [6])
    first.cancel()
    subject.send(7)
    #expect(second.values == [6, 7])
    second.cancel()
    subject.send(8)
    subject.send(completion: .finished)
    let third = subscriber(subject)
    let fourth = subscriber(subject)
    #expect(third.values == [8] && third.completion == .finished)
    #expect(fourth.values == [] && fourth.completion == .finished)
  }

  @Test func `undelivered: a subscriber without demand is there`() {
    let subject = ReplaySubject<Int, Never>(.undelivered(3))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    subject.send(1)
    subject.subscribe(slow)
    for value in 2...9 { subject.send(value) }
    let second = subscriber(subject)
    slow.request(.unlimited)
    #expect(slow.values == Array(1...9) && second.values == [])
    slow.cancel()
    second.cancel()
  }

  @Test(arguments: ["count", "cost", "undelivered", "every"])
  func `a limit below 1 and an interval of 0 trap`(form: String) async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [form] in
      switch form {
      case "count": _ = Limit<Int>.count(0)
      case "cost": _ = Limit<Int>.cost(0, of: { $0 })
      case "undelivered": _ = Replay<Int>.undelivered(0)
      default:
        _ = Replay<Int>.none.requesting(every: .seconds(0), scheduler: TestScheduler()) {}
      }
    }
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("pass 1 or more") || text.contains("must be more than 0"))
  }
}
