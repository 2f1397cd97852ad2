import Fanout
import Workloads

extension Question {
  /// Where values are sent to, and from how many threads.
  static var subjects: [Question] {
    [
      Question(
        title: "a kind of subject, one sink",
        habits: [
          sends("PassthroughSubject", 1) { Numbers() },
          sends("CurrentValueSubject", 2) { CurrentValueSubject<Int, Never>(0) },
          sends("ReplaySubject(.latest)", 3) { ReplaySubject<Int, Never>(.latest) },
          sends("ReplaySubject(.all)", 4) { ReplaySubject<Int, Never>(.all) },
        ]),
      Question(
        title: "threads, eight sinks, nanoseconds of a thread",
        habits: [
          onThreads("one thread", 1, subjects: 1),
          onThreads("two threads, one subject", 2, subjects: 1),
          onThreads("two threads, a subject each", 2, subjects: 2),
        ]),
    ]
  }

  @inline(__always)
  private static func sends<S: Subject<Int, Never>>(
    _ name: String, _ mark: Int64, _ make: @escaping () -> S
  ) -> Habit {
    Habit(name) {
      let subject = make()
      let sink = subject.sink { count($0, mark) }
      return { withExtendedLifetime(sink) { for number in 0..<2_000_000 { subject.send(number) } } }
    }
  }

  /// Each thread makes a million deliveries; each sink counts in a place of its own.
  private static func onThreads(_ name: String, _ threads: Int, subjects: Int) -> Habit {
    Habit(name, deliveries: 1_000_000) {
      let all = (0..<subjects).map { _ in Numbers() }
      let kept = all.enumerated().flatMap { place, subject in
        (0..<8).map { sink in subject.sink { count($0, Int64(place * 8 + sink)) } }
      }
      return {
        withExtendedLifetime(kept) {
          Workloads.onThreads(threads) { thread in
            let subject = all[thread % subjects]
            for number in 0..<125_000 { subject.send(number) }
          }
        }
      }
    }
  }
}
