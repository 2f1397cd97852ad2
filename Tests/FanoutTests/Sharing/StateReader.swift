import Fanout
import FanoutTestSupport
import TestFixtures

/// The event of a shared list, whose changes are numbers that are appended.
typealias ListUpdate = StateUpdate<[Int], Int>

/// A subscriber of a shared list.
typealias ListSubscriber = TestSubscriber<ListUpdate, Broken>

extension TestSubscriber where Input == ListUpdate {
  /// The list after each event, as a subscriber keeps it; nil before the first snapshot.
  var lists: [[Int]?] {
    var list: [Int]?
    return values.map { event in
      switch event {
      case .snapshot(let whole): list = whole
      case .change(let number): list?.append(number)
      }
      return list
    }
  }

  /// Whether the list was always the beginning of all numbers, and never went back.
  func follows(_ numbers: [Int]) -> Bool {
    let lists = lists
    let counts = lists.map { $0?.count ?? -1 }
    return lists.allSatisfy { $0.map { numbers.starts(with: $0) } ?? false }
      && zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }
  }
}

extension Publisher where Output == Int {
  /// Shares the list of all numbers so far.
  func shareList(
    disconnect: Disconnect = .whenIdle, restart: Restart = [],
    backlog: Backlog<StateUpdate<[Int], Int>, Failure>? = nil
  ) -> Publishers.ShareState<Self, [Int]> {
    share(reducingInto: [], disconnect: disconnect, restart: restart, backlog: backlog) {
      $0.append($1)
    }
  }
}
