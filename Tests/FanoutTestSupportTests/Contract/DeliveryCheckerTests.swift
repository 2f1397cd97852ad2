import Fanout
import FanoutTestSupport
import Testing

/// The checker must see each way to go wrong, or what it does not see proves nothing.
struct DeliveryCheckerTests {
  /// Two subscribers that are delivered to by hand, whatever they asked for.
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

    /// Sends every value to the witness, and to the other as the closure says.
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

  @Test func `who gets everything in order is right`() {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.send { $0?.send($1) }
    #expect(bench.problems() == [])
    #expect(bench.problems(.all) == [])
  }

  @Test(arguments: [[1, 3], [1, 1, 2, 3], [2, 1, 3], [2, 3], [1, 2], [1, 2, 3, 4]])
  func `D2 D6: a gap, a repeat, another order, a missing begin or end, a stranger`(got: [Int]) {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.send { subscription, value in
      if value == 3 { got.forEach { subscription?.send($0) } }
    }
    #expect(bench.problems() == ["one got \(got), of [] before and the one order [1, 2, 3]"])
  }

  @Test func `D6: who joins late gets just the replay that is promised`() {
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

  @Test func `D2: a value whose send had returned is neither overtaken nor lost`() {
    let bench = Bench()
    bench.history.sendAll(of: 0) { value in
      if value == 2 { [2, 1].forEach { bench.upstream.subscriptions[0].send($0) } }
    }
    #expect(
      Set(bench.problems()) == ["2 overtook 1, whose send had returned", "3 was lost"])
  }

  @Test func `D7: a value sent after the cancel, and a second call after it`() {
    let bench = Bench()
    bench.one.subscribe(to: bench.upstream)
    bench.one.cancel()
    bench.send { if $1 < 3 { $0?.send($1) } }
    let problems = bench.problems()
    #expect(problems.contains("one: afterCancel"))
    #expect(problems.contains("one got 1, which was sent after its cancel() had returned"))
  }

  @Test func `D8: a value that nobody asked for`() {
    let bench = Bench(demand: .max(2))
    bench.one.subscribe(to: bench.upstream)
    bench.send { $0?.send($1) }
    #expect(bench.problems().contains("one: notAskedFor"))
  }

  @Test func `D6: a value and a terminal before the subscription`() {
    for isValue in [true, false] {
      let bench = Bench()
      if isValue { _ = bench.one.receive(1) } else { bench.one.receive(completion: .finished) }
      #expect(bench.one.problems.contains("one: beforeSubscription"))
    }
  }

  @Test func `D1: a call inside a call`() {
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

  @Test func `D9: no terminal, two of them, and a value after it`() {
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

  @Test func `D16: of the newest, the last one must come at the end`() {
    let bench = Bench(demand: .max(3))
    bench.one.subscribe(to: bench.upstream)
    bench.send { if $1 < 3 { $0?.send($1) } }
    #expect(!bench.problems(.latest).isEmpty)
    #expect(bench.problems(.nothing) == [])
  }
}
