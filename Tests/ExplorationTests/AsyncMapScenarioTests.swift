// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Exploration
  import FanoutContract
  import Fanout
  import FanoutEngine
  import FanoutTestSupport
  import TestFixtures
  import Testing

  private final class Mapping: @unchecked Sendable {
    let tasks = ExploredTasks()
    let work = ExploredWork()
    let subject = PassthroughSubject<Int, Broken>()
    let subscriber: CheckedSubscriber<any Error>

    init(failing: Set<Int> = [], maxConcurrent: Int = 2) {
      subscriber = CheckedSubscriber()
      let work = work
      subject.asyncMap(maxConcurrent: maxConcurrent) { value in
        await work.handle(value)
        if failing.contains(value) { throw NumberedError(value) }
        return value * 10
      }.subscribe(subscriber)
    }

    func sends(_ values: [Int], _ end: Subscribers.Completion<Broken>?) -> @Sendable () -> Void {
      {
        self.tasks.here {
          for value in values { self.subject.send(value) }
          if let end { self.subject.send(completion: end) }
        }
      }
    }

    @Sendable func cancel() {
      subscriber.cancel()
      work.isCancelled = true
    }

    /// The end as a word.
    var end: String {
      switch subscriber.completion {
      case nil: "none"
      case .finished: "finished"
      case .failure(let error): (error as? NumberedError).map { "\($0.number)" } ?? "upstream"
      }
    }

    func close() -> [String] {
      tasks.runAll()
      let all = subscriber.problems + work.problems
      subscriber.leave()
      return all
    }

    func close(expecting values: [Int], _ end: String) -> String? {
      let problems = close()
      guard problems.isEmpty else { return "\(problems)" }
      return subscriber.values == values && self.end == end
        ? nil : "got \(subscriber.values), \(self.end), instead of \(values), \(end)"
    }
  }

  @Suite(.serialized)
  struct AsyncMapScenarioTests {
    @Test(arguments: [true, false])
    func `Q4 explored: two tasks end beside the upstream's end`(fails: Bool) {
      explore("send;send;end|run|run, fails \(fails)") {
        let mapping = Mapping()
        return Scenario(threads: [
          mapping.sends([1, 2], fails ? .failure(Broken()) : .finished), mapping.tasks.runner(2),
          mapping.tasks.runner(2),
        ]) { mapping.close(expecting: [10, 20], fails ? "upstream" : "finished") }
      }
    }

    @Test(arguments: [[1], [2], [1, 2]] as [Set<Int>])
    func `Q1 Q4 explored: an error beside an earlier one and the upstream's failure`(
      failing: Set<Int>
    ) {
      explore("send;send;fail|run|run, \(failing.sorted())") {
        let mapping = Mapping(failing: failing)
        return Scenario(threads: [
          mapping.sends([1, 2], .failure(Broken())), mapping.tasks.runner(2),
          mapping.tasks.runner(2),
        ]) { mapping.close(expecting: failing.contains(1) ? [] : [10], "\(failing.min() ?? 0)") }
      }
    }

    @Test(arguments: [[], [1], [2]] as [Set<Int>])
    func `Q4 D7 explored: a cancel beside a task's end, an error and the upstream's failure`(
      failing: Set<Int>
    ) {
      explore("send;send;fail|run|cancel, \(failing.sorted())") {
        let mapping = Mapping(failing: failing)
        return Scenario(threads: [
          mapping.sends([1, 2], .failure(Broken())), mapping.tasks.runner(3), { mapping.cancel() },
        ]) {
          let problems = mapping.close()
          guard problems.isEmpty else { return "\(problems)" }
          let values = mapping.subscriber.values
          guard values == [10, 20].prefix(values.count).map({ $0 }) else { return "got \(values)" }
          let isRight =
            switch mapping.end {
            case "none": true
            case "upstream": values == [10, 20]
            default: values.count + 1 == failing.min() && mapping.end == "\(failing.min() ?? 0)"
            }
          return isRight ? nil : "got \(values), \(mapping.end)"
        }
      }
    }
  }
#endif
