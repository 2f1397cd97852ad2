package import FanoutCore
internal import FanoutTestSupport
internal import TestThreads

/// A subscriber that requests one value at a time, and counts how deep its calls nest.
package final class OneByOne: Subscriber, @unchecked Sendable {
  // Invariant: used by one thread at a time.
  package typealias Input = Int
  package typealias Failure = Never

  package enum Way: CaseIterable { case asking, returning }

  package private(set) var count = 0
  package private(set) var isCompleted = false
  /// The greatest number of calls in progress at once.
  package private(set) var depth = 0
  private var current = 0
  private var subscription: (any Subscription)?
  private let way: Way
  private let whenReceived: @Sendable (Int) -> Void

  package init(_ way: Way, whenReceived: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.way = way
    self.whenReceived = whenReceived
  }

  package func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  package func receive(_ input: Int) -> Subscribers.Demand {
    current += 1
    depth = max(depth, current)
    defer { current -= 1 }
    count += 1
    // Gives up before the stack does.
    guard depth < 100 else { return .none }
    whenReceived(input)
    guard way == .asking else { return .max(1) }
    subscription?.request(.max(1))
    return .none
  }

  package func receive(completion: Subscribers.Completion<Never>) {
    isCompleted = true
    subscription = nil
  }

  package func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// How many values the tests of the stack's depth call a million.
///
/// A debug build takes long for each; so many frames would burst the stack as well.
#if DEBUG
  package let million = 100_000
#else
  package let million = 1_000_000
#endif

/// Runs a test on a small stack, which a few hundred bytes a value would overflow many times over.
///
/// - Parameters:
///   - sanitizedKibibytes: The size of the stack under Address Sanitizer. Its frames are several times
///     as large, so a chain of many operators needs more.
///   - body: The test.
/// - Returns: Whether the test ended; false if it hangs.
package func onSmallStack(
  sanitizedKibibytes: Int = 512, _ body: @escaping @Sendable () -> Void
) -> Bool {
  finishes(stackSize: (LeakSanitizer.isChecking ? sanitizedKibibytes : 512) * 1024, body)
}
