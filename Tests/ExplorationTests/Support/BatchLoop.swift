// `@unchecked Sendable` invariant: of the explored threads one runs at a time.

#if FANOUT_EXPLORER
  import Fanout
  import FanoutEngine
  import TestFixtures

  /// A loop over batches that takes its turns in a task, and that any thread may cancel.
  final class BatchLoop<Element: Sendable>: @unchecked Sendable {
    typealias Batches = SharedBatches<Element, NumberedError>

    private var iterator: Batches.Iterator?
    private let cancelIterator: () -> Void
    /// The greatest number of elements in a batch.
    private let count: Int
    /// The elements of all batches.
    private(set) var elements: [Element] = []
    /// The ends that the loop was told of: `nil` or a failure.
    private(set) var ends: [String] = []
    private(set) var problems: [String] = []
    private var isCancelled = false

    init(_ batches: Batches, upTo count: Int) {
      let iterator = batches.makeAsyncIterator()
      self.iterator = iterator
      self.count = count
      cancelIterator = {
        iterator.cursor?.cancel()
        iterator.requests?.subscriber.cancel()
      }
    }

    /// Cancels the subscription, as the cancel of the loop's task does; a loop over events has no such way.
    func cancel() {
      cancelIterator()
      isCancelled = true
    }

    /// Whether a task has not taken all of its turns.
    var isRunning: Bool { iterator == nil }

    /// Lets a task take a number of turns.
    func start(_ turns: Int, in tasks: ExploredTasks) {
      nonisolated(unsafe) var iterator = iterator.take()
      Task(executorPreference: tasks) {
        for _ in 0..<turns {
          let isLate = self.isCancelled
          do {
            if let batch = try await iterator?.next(isolation: nil) {
              self.note(batch)
              if isLate { self.problems.append("a batch behind the cancel") }
            } else {
              self.ends.append("nil")
            }
          } catch {
            self.ends.append("\(error)")
          }
        }
        self.iterator = iterator
      }
    }

    private func note(_ batch: [Element]) {
      if batch.isEmpty || batch.count > count { problems.append("a batch of \(batch.count)") }
      if !ends.isEmpty { problems.append("a batch behind the end") }
      elements += batch
    }
  }
#endif
