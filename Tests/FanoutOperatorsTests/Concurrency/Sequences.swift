import FanoutOperators
import TestFixtures
import TestThreads

/// A sequence of the numbers from 1 on that notes its calls and can be held up.
struct NotedNumbers: AsyncSequence, Sendable {
  typealias Element = Int
  typealias Failure = Broken

  /// A record of the calls of a sequence.
  final class Notes: Sendable {
    let iterations = Arrivals()
    let asked = Arrivals()
    let cancelled = Arrivals()
    /// Runs before the sequence returns a number; throws to fail.
    let beforeNumber: @Sendable (Int) async throws(Broken) -> Void

    init(_ beforeNumber: @escaping @Sendable (Int) async throws(Broken) -> Void = { _ in }) {
      self.beforeNumber = beforeNumber
    }
  }

  let notes: Notes
  let count: Int
  let token: Token?

  init(_ notes: Notes, count: Int = .max, token: Token? = nil) {
    self.notes = notes
    self.count = count
    self.token = token
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    let numbers: NotedNumbers
    var last = 0

    mutating func next() async throws(Broken) -> Int? { try await next(isolation: nil) }

    mutating func next(isolation actor: isolated (any Actor)?) async throws(Broken) -> Int? {
      let notes = numbers.notes
      notes.asked.arrive()
      guard last < numbers.count else { return nil }
      last += 1
      try await notes.beforeNumber(last)
      if Task.isCancelled { notes.cancelled.arrive() }
      return last
    }
  }

  func makeAsyncIterator() -> AsyncIterator {
    notes.iterations.arrive()
    return AsyncIterator(numbers: self)
  }
}
