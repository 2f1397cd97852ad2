// `@unchecked Sendable` invariant: the app's threads write the score, as subscribers of one publisher
// do, one at a time; all else is written by the test's task.

import Fanout

/// A view model as people write it, with all the places in which it can keep something.
final class ScoreModel: @unchecked Sendable {
  var score = 0
  var level = 0
  var kept: Set<AnyCancellable> = []
  var numbers: AnyPublisher<Int, Never>?
  var claim: (any Cancellable)?
  var task: Task<Void, Never>?
  var answer: Future<Int, Never>.Promise?
  var onScore: (@Sendable (Int) -> Void)?
  var resume: (@Sendable () -> Void)?
  var selection: CurrentValueSubject<ScoreModel?, Never>?
  var itself: AnyPublisher<ScoreModel, Never>?
  var child: ScoreRow?
  var other: (any Sendable)?

  func show(_ score: Int) { self.score = score }

  func isShown(_ score: Int) -> Bool { score > self.score }

  func doubled(_ score: Int) -> Int { 2 * score }

  /// Releases everything: the end that the leaks lack.
  func stop() {
    selection?.value = nil
    answer?(.success(0))
    task?.cancel()
    resume?()
    claim?.cancel()
    (kept, numbers, claim, task, answer) = ([], nil, nil, nil, nil)
    (onScore, resume, selection, itself) = (nil, nil, nil, nil)
    (child, other) = (nil, nil)
  }
}

/// A row of a list, which knows its model.
final class ScoreRow: @unchecked Sendable {
  var owner: ScoreModel?
  weak var delegate: ScoreModel?
}
