internal import Synchronization

/// When a call began and when it returned, by a history's clock.
///
/// Its readings are exact: who sees that a call has returned before another one began was told so by
/// the clock.
package final class CallSpan: Sendable {
  private let start = Atomic<Int>(0)
  private let end = Atomic<Int>(.max)

  package init() {}

  /// When it began; 0 if it has not.
  package var began: Int { start.load(ordering: .sequentiallyConsistent) }
  /// When it returned; `Int.max` if it has not.
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

/// What was done to one shared publisher, by whom and when, for the checker.
///
/// It takes no lock and no point of the explorer's, so that it does not order what it looks at more
/// than its clock does.
package final class DeliveryHistory: Sendable {
  /// The values of each sender, in its order; no value twice.
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

  /// Notes when a call begins and returns.
  package func measure(_ span: CallSpan, _ body: () -> Void) { span.measure(clock, body) }
}
