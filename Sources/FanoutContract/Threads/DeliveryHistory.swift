internal import Synchronization

/// The times at which a call began and returned, by a history's clock.
///
/// The readings are exact: a thread that sees that one call returned before another began has that
/// order from the clock.
package final class CallSpan: Sendable {
  private let start = Atomic<Int>(0)
  private let end = Atomic<Int>(.max)

  package init() {}

  /// The time at which the call began; 0 if it has not.
  package var began: Int { start.load(ordering: .sequentiallyConsistent) }
  /// The time at which the call returned; `Int.max` if it has not.
  package var returned: Int { end.load(ordering: .sequentiallyConsistent) }
  package var hasBegun: Bool { began > 0 }

  package func precedes(_ other: CallSpan) -> Bool {
    other.hasBegun && returned < other.began
  }

  fileprivate func measure(_ clock: borrowing Atomic<Int>, _ body: () -> Void) {
    start.store(
      clock.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue,
      ordering: .sequentiallyConsistent)
    body()
    end.store(
      clock.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue,
      ordering: .sequentiallyConsistent)
  }
}

/// The calls on one shared publisher, with their senders and times, for the checker.
///
/// It takes no lock and contains no point of the explorer, so that it orders the calls it observes
/// no more than its clock does.
package final class DeliveryHistory: Sendable {
  /// The values of each sender, in its order; no value occurs twice.
  package let senders: [[Int]]
  package let sends: [Int: CallSpan]
  package let end = CallSpan()
  private let clock = Atomic<Int>(0)

  package init(senders: [[Int]]) {
    self.senders = senders
    sends = Dictionary(uniqueKeysWithValues: senders.joined().map { ($0, CallSpan()) })
  }

  /// Sends every value of one sender, in order.
  package func sendAll(of sender: Int, _ send: (Int) -> Void) {
    for value in senders[sender] { sends[value]?.measure(clock) { send(value) } }
  }

  /// Sends the terminal.
  package func finish(_ finish: () -> Void) { end.measure(clock, finish) }

  /// Records when a call begins and returns.
  package func measure(_ span: CallSpan, _ body: () -> Void) { span.measure(clock, body) }
}
