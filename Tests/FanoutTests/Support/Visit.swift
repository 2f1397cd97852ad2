import Fanout
import FanoutEngine
import FanoutTestSupport
import TestThreads

/// A call on one thread, beside threads that leave more values each time one is delivered.
///
/// Each value is sent on a thread of its own, which has returned before the delivery goes on. So as long as the call
/// delivers, others bring more, up to a number of values.
final class Visit: Sendable {
  /// The number of values that the other threads send.
  let count: Int
  private let step: Int
  private let send: @Sendable (Int) -> Void
  private let caller = Shared<ThreadID?>(nil)
  private let inside = Shared(0)
  private let sent = Shared(0)
  private let received = Notes<Int>()
  private let isOver = AsyncGate()

  /// Creates a visit.
  ///
  /// - Parameters:
  ///   - step: The number of values that others send for each one that is delivered.
  ///   - count: The number of values that they send in all.
  ///   - send: The closure that sends a value.
  init(step: Int, count: Int = 60, _ send: @escaping @Sendable (Int) -> Void) {
    self.step = step
    self.count = count
    self.send = send
  }

  /// Makes the call, which has no time for others, and returns how many values it has delivered.
  func deliveries(in call: () -> Void) -> Int {
    caller.value = .current
    Handover.$visit.withValue(.zero) { call() }
    caller.value = nil
    return inside.value
  }

  /// Lets others send, if this is called on the thread of the call, inside it.
  func beginInside() {
    if caller.value == .current, sent.value == 0 { letOthersSend() }
  }

  /// Notes a value, and lets others send.
  func receive(_ value: Int) {
    guard value > 0 else { return beginInside() }
    received.append(value)
    if caller.value == .current { inside.increment() }
    letOthersSend()
    if value == count { isOver.open() }
  }

  /// Waits until all values have arrived, without holding the thread that a task may need, and returns whether they
  /// have come in their order.
  func hasAll() async -> Bool {
    await isOver.wait()
    return received.all == Array(1...count)
  }

  private func letOthersSend() {
    for _ in 0..<step where sent.value < count {
      let number = sent.increment()
      let send = send
      guard finishes({ send(number) }) else { return }
    }
  }
}
