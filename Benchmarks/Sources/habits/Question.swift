import Fanout
import MeasureSupport

typealias Numbers = PassthroughSubject<Int, Never>

/// What sinks do.
///
/// Each habit has a mark of its own: the compiler merges closures that are the same.
@inline(never)
func count(_ number: Int, _ mark: Int64) { raw_counter_add(Int64(number), mark & 31) }

/// One way to write something.
struct Habit {
  let name: String
  let deliveries: Int
  let ready: () -> () -> Void

  init(_ name: String, deliveries: Int = 2_000_000, ready: @escaping () -> () -> Void) {
    self.name = name
    self.deliveries = deliveries
    self.ready = ready
  }

  /// Sends to a subject to which so many sinks are attached.
  static func sends(
    _ name: String, sinks: Int = 1, attach: @escaping (Numbers) -> [AnyCancellable]
  ) -> Habit {
    Habit(name) {
      let subject = Numbers()
      let kept = attach(subject)
      return {
        for number in 0..<(2_000_000 / sinks) { subject.send(number) }
        withExtendedLifetime(kept) {}
      }
    }
  }
}

/// Several ways to write something; what they cost is compared with the first.
struct Question {
  let title: String
  let habits: [Habit]

  func answer() {
    var times = [Double](repeating: .infinity, count: habits.count)
    for _ in 0..<7 {
      for (index, habit) in habits.enumerated() {
        let body = habit.ready()
        let start = ContinuousClock.now
        body()
        let time = start.duration(to: .now).components
        let nanoseconds = Double(time.attoseconds) / 1e9 + Double(time.seconds) * 1e9
        times[index] = min(times[index], nanoseconds / Double(habit.deliveries))
      }
    }
    print("\n" + title)
    for (habit, time) in zip(habits, times) {
      let space = String(repeating: " ", count: max(1, 52 - habit.name.count))
      print("  \(habit.name)\(space)\(Self.text(time)) ns   × \(Self.text(time / times[0]))")
    }
  }

  private static func text(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
