import Fanout
import FanoutContract
import FanoutTestSupport
import Testing

/// The checker must detect every kind of fault, or an empty report proves nothing.
struct DeliveryCheckerTests {
  /// Two subscribers that a test delivers to by hand, whatever their demand.
  private final class Bench {
    let history = DeliveryHistory(senders: [[1, 2, 3]])
    let upstream = TestPublisher<Int, Never>(ignoresCancel: true)
    let witness: CheckedSubscriber<Never>
    let one: CheckedSubscriber<Never>

    init(demand: Subscribers.Demand = .unlimited) {
      witness = CheckedSubscriber("the witness", in: history)
      one = CheckedSubscriber("one", in: history, demand: demand)
      witness.subscribe(to: upstream)
    }

    deinit { upstream.send(completion: .finished) }

    /// Sends every value to the witness, and to the other subscriber as the closure decides.
    func send(_ deliver: (TestSubscription<Int, Never>?, Int) -> Void) {
      history.sendAll(of: 0) { value in
        upstream.subscriptions[0].send(value)
        deliver(upstream.subscriptions.dropFirst().first, value)
      }
    }

    func problems(_ promise: DeliveryContract.Promise = .nothing) -> [String] {
      DeliveryChecker(history, promise: promise, witness: witness).problems([witness, one])
    }
  }

  @Test func `a subscriber that gets every value in order passes`() {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.send { $0?.send($1) }
    #expect(bench.problems() == [])
    #expect(bench.problems(.all) == [])
  }

  @Test(arguments: [[1, 3], [1, 1, 2, 3], [2, 1, 3], [2, 3], [1, 2], [1, 2, 3, 4]])
  func `D2 D6: missing, repeated, reordered and unknown values are reported`(got: [Int]) {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.send { subscription, value in
      if value == 3 { got.forEach { subscription?.send($0) } }
    }
    #expect(bench.problems() == ["one got \(got), of [] before and the one order [1, 2, 3]"])
  }

  @Test func `D6: a late subscriber must get exactly the promised replay`() {
    let bench = Bench()
    bench.send { _, value in
      guard value == 2 else { return }
      bench.one.subscribe(to: bench.upstream)
      bench.upstream.subscriptions[1].send(2)
      bench.upstream.subscriptions[1].send(3)
    }
    #expect(bench.problems(.latest) == [])
    #expect(!bench.problems(.all).isEmpty)
    #expect(!bench.problems(.last(2)).isEmpty)
  }

  @Test
  func `D2: a value that overtakes one whose send had returned is reported, and so is a lost one`()
  {
    let bench = Bench()
    bench.history.sendAll(of: 0) { value in
      if value == 2 { [2, 1].forEach { bench.upstream.subscriptions[0].send($0) } }
    }
    #expect(
      Set(bench.problems()) == ["2 overtook 1, whose send had returned", "3 was lost"])
  }

  @Test func `D7: a value sent after the cancel is reported, and so is a second call after it`() {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.one.cancel()
    bench.send { if $1 < 3 { $0?.send($1) } }
    let problems = bench.problems()
    #expect(problems.contains("one: afterCancel"))
    #expect(problems.contains("one got 1, which was sent after its cancel() had returned"))
  }

  @Test func `D8: a value without demand is reported`() {
    let bench = Bench(demand: .max(2))
    bench.one.subscribe(to: bench.upstream)
    bench.send { $0?.send($1) }
    #expect(bench.problems().contains("one: notAskedFor"))
  }

  @Test func `D6: a value or a terminal before the subscription is reported`() {
    for isValue in [true, false] {
      let bench = Bench()
      if isValue { _ = bench.one.receive(1) } else { bench.one.receive(completion: .finished) }
      #expect(bench.one.problems.contains("one: beforeSubscription"))
    }
  }

  @Test func `D1: a call inside a call is reported`() {
    let bench = Bench()
    let greedy = CheckedSubscriber<Never>("one", in: bench.history) {
      [upstream = bench.upstream] _, value in
      if value == 1 { upstream.subscriptions[1].send(2) }
    }
    greedy.subscribe(to: bench.upstream)
    bench.send { if $1 != 2 { $0?.send($1) } }
    let checker = DeliveryChecker(bench.history, promise: .nothing, witness: bench.witness)
    #expect(checker.problems([greedy]).contains("one: overlap"))
  }

  @Test func `D9: a missing terminal is reported, and so are a second one and a call after it`() {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.send { $0?.send($1) }
    bench.history.finish { bench.witness.receive(completion: .finished) }
    #expect(bench.problems() == ["one never got the terminal"])
    bench.one.receive(completion: .finished)
    #expect(bench.problems() == [])
    bench.one.receive(completion: .finished)
    #expect(bench.problems() == ["one: afterTerminal", "one got 2 terminals"])
  }

  @Test func `D16: a subscriber of the newest value must get the last one in the end`() {
    let bench = Bench(demand: .max(3))
    bench.one.subscribe(to: bench.upstream)
    bench.send { if $1 < 3 { $0?.send($1) } }
    #expect(!bench.problems(.latest).isEmpty)
    #expect(bench.problems(.nothing) == [])
  }
}
