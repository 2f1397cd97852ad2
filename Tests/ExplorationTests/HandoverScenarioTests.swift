#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private typealias Target = CheckedSubscriber<NumberedError>

  /// A thread that delivers leaves the rest to the next sender; here after each turn.
  @Suite(.serialized)
  struct HandoverScenarioTests {
    init() { Handover.count = 1 }

    private func accounts(_ target: Target, _ senders: [[Int]]) -> String? {
      let areAllThere = target.values.sorted() == senders.flatMap { $0 }.sorted()
      let areInOrder = senders.allSatisfy { sent in target.values.filter(sent.contains) == sent }
      return target.problems([], ("every value", areAllThere), ("in order", areInOrder))
    }

    @Test func `D4 explored: a sender goes on for another one`() {
      explore("handover: send;send;send|send;send") {
        let source = PassthroughSubject<Int, NumberedError>()
        let target = Target(demand: .unlimited)
        target.subscribe(to: source)
        return Scenario(threads: [
          { for number in 1...3 { source.send(number) } },
          { for number in 11...12 { source.send(number) } },
        ]) { accounts(target, [[1, 2, 3], [11, 12]]) }
      }
    }

    @Test func `D4 explored: a sender goes on for a subscriber, beside an end`() {
      explore("handover: send;send|subscribe;cancel|finish") {
        let source = PassthroughSubject<Int, NumberedError>()
        let (target, visitor) = (Target(demand: .unlimited), Target(demand: .unlimited))
        target.subscribe(to: source)
        return Scenario(threads: [
          { for number in 1...2 { source.send(number) } },
          {
            visitor.subscribe(to: source)
            visitor.cancel()
          },
          { source.send(completion: .finished) },
        ]) {
          let isOver = target.completion == .finished
          let isRight = [[], [1], [1, 2]].contains(target.values)
          return target.problems([], ("the end", isOver), ("a beginning", isRight))
        }
      }
    }

    @Test func `D4 D18 explored: a call that reads leaves the rest to a sender or one task`() {
      Handover.endsVisits = true
      defer { Handover.endsVisits = false }
      // A second sender makes too many schedules for a gate.
      let senders = [[1, 2], [11]].prefix(Exploration.isSearch ? 2 : 1)
      explore("handover: status|\(senders.count) send|task") {
        let source = PassthroughSubject<Int, NumberedError>()
        let shared = source.share(replay: .last(1))
        let target = Target(demand: .unlimited)
        target.subscribe(to: shared)
        let tasks = ExploredTasks()
        let sends = senders.map { sent in
          { @Sendable in tasks.here { sent.forEach { source.send($0) } } }
        }
        var scenario = Scenario(
          threads: [{ tasks.here { _ = shared.status } }] + sends + [tasks.runner(1)]
        ) { accounts(target, Array(senders)) }
        scenario.settle = tasks.runAll
        return scenario
      }
    }

    @Test func `D4 D18 explored: a request to a buffer leaves the rest to a task`() {
      Handover.endsVisits = true
      defer { Handover.endsVisits = false }
      explore("handover: request|send;send|task") {
        let source = PassthroughSubject<Int, NumberedError>()
        let target = Target(demand: .none)
        target.subscribe(
          to: source.buffer(size: 10, prefetch: .byRequest, whenFull: .dropNewest))
        source.send(1)
        let tasks = ExploredTasks()
        var scenario = Scenario(threads: [
          { tasks.here { target.request(.unlimited) } },
          { tasks.here { for number in 2...3 { source.send(number) } } },
          tasks.runner(1),
        ]) { accounts(target, [[1, 2, 3]]) }
        scenario.settle = tasks.runAll
        return scenario
      }
    }

    @Test func `D3 D4 explored: what a subscriber sends is delivered, whoever goes on`() {
      explore("handover: send, which sends|send;send") {
        let source = CurrentValueSubject<Int, NumberedError>(0)
        let target = Target(demand: .unlimited)
        target.subscribe(to: source)
        let replies = source.sink { _ in
        } receiveValue: { value in
          if value == 1 { source.send(2) }
        }
        return Scenario(threads: [
          { source.send(1) },
          { for number in 11...12 { source.send(number) } },
        ]) {
          replies.cancel()
          return accounts(target, [[0, 1, 2], [11, 12]])
        }
      }
    }
  }
#endif
