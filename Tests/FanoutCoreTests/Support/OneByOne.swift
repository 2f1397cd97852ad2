import FanoutCore
import TestThreads

/// Asks for one value at a time, and counts how deep its calls nest.
final class OneByOne: Subscriber, @unchecked Sendable {
  // Invariant: used by one thread at a time.
  typealias Input = Int
  typealias Failure = Never

  enum Way: CaseIterable { case asking, returning }

  private(set) var count = 0
  private(set) var isCompleted = false
  /// How many calls were in progress at once, at most.
  private(set) var depth = 0
  private var current = 0
  private var subscription: (any Subscription)?
  private let way: Way
  private let whenReceived: @Sendable (Int) -> Void

  init(_ way: Way, whenReceived: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.way = way
    self.whenReceived = whenReceived
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.max(1))
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    current += 1
    depth = max(depth, current)
    defer { current -= 1 }
    count += 1
    // Give up before the stack does.
    guard depth < 100 else { return .none }
    whenReceived(input)
    guard way == .asking else { return .max(1) }
    subscription?.request(.max(1))
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    isCompleted = true
    subscription = nil
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
  }
}

/// Runs a test on a stack that a few hundred bytes a value would burst many times over.
func onSmallStack(_ body: @escaping @Sendable () -> Void) -> Bool {
  finishes(stackSize: 512 * 1024, body)
}
