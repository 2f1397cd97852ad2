import Fanout
import Workloads

/// One subscriber that takes nothing beside three that take all, under one backlog.
struct Trial {
  static let size = 256

  let title: String
  let backlog: Backlog<Int, TooSlow>
  /// Whether the source is a sequence, which sends what is requested, and not a subject.
  var isPulled = false

  static let all: [Trial] = [
    Trial(title: ".unbounded", backlog: .unbounded),
    Trial(title: ".dropOldest", backlog: .size(size, whenFull: .dropOldest)),
    Trial(title: ".dropNewest", backlog: .size(size, whenFull: .dropNewest)),
    Trial(title: ".rejoin", backlog: .size(size, whenFull: .rejoin)),
    Trial(title: ".customError", backlog: .size(size, whenFull: .customError { TooSlow() })),
    Trial(title: ".wait, a sequence", backlog: .size(size, whenFull: .wait), isPulled: true),
  ]

  /// The line of the table: the figures, and whether they are right.
  struct Result {
    let title: String
    let peak: Int
    let laggard: Laggard
    let others: [Int]
    let count: Int

    /// Whether every value that it could get was delivered or missed, and the others have got all.
    var isExact: Bool {
      let isFailed = if case .failure? = laggard.end { true } else { false }
      let accounted = laggard.delivered + laggard.missed
      return others.allSatisfy { $0 == count * (count - 1) / 2 }
        && (isFailed ? accounted == Trial.size + 1 : accounted == count)
    }
  }

  func run(_ count: Int) -> Result {
    let subject = PassthroughSubject<Int, TooSlow>()
    let source =
      isPulled
      ? (0..<count).publisher.setFailureType(to: TooSlow.self).eraseToAnyPublisher()
      : subject.eraseToAnyPublisher()
    let shared = source.multicast(replay: .latest, backlog: backlog)
    let sums = Sums()
    let fast = (0..<3).map { index in
      shared.sink { _ in
      } receiveValue: { number in
        sums.add(number, at: index)
      }
    }
    let laggard = Laggard()
    shared.deliveries().receive(subscriber: laggard)
    var (peak, seen) = (0, 0)
    let before = Allocator.bytes
    let measure = {
      seen += 1
      if seen & 1023 == 0 { peak = max(peak, Allocator.bytes - before) }
    }
    let claim = shared.connect()
    if isPulled { laggard.whenDelivered = measure }
    for number in 0..<(isPulled ? 0 : count) {
      subject.send(number)
      measure()
    }
    laggard.takeAll()
    subject.send(completion: .finished)
    laggard.whenDelivered = {}
    fast.forEach { $0.cancel() }
    laggard.cancel()
    claim.cancel()
    return Result(title: title, peak: peak, laggard: laggard, others: sums.values, count: count)
  }
}

/// The sums of what the three have received; only the thread that sends adds.
private final class Sums: @unchecked Sendable {
  private(set) var values = [0, 0, 0]

  func add(_ number: Int, at index: Int) { values[index] += number }
}
