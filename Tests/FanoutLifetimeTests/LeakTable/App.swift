// `@unchecked Sendable` invariant: the weak reference is set by the test's task before the endings
// are run, by the same task.

import Fanout
import FanoutLifetime
import TestThreads

/// The app around a model: what lives longer than the model does, out of the checks' sight as
/// globals are, and what ends a leak when the checks are done.
final class App: @unchecked Sendable {
  /// The events of the app; other threads may send here.
  let scores = PassthroughSubject<Int, Never>()
  /// A state of the app; other threads may send here.
  let level = CurrentValueSubject<Int, Never>(1)
  weak var model: ScoreModel?

  private let kept = Shared<[AnyCancellable]>([])
  private let held = Shared<[any Sendable]>([])
  private let noteTracked: @Sendable (AnyObject) -> Void
  private let endings = Notes<@Sendable () async -> Void>()

  init(track: @escaping @Sendable (AnyObject) -> Void) { noteTracked = track }

  /// Names an object, as `model`, that must be gone when the check looks.
  func track(_ object: AnyObject) { noteTracked(object) }

  /// Keeps a cancellable for ever, as a bag in a singleton does.
  func keep(_ cancellable: AnyCancellable) { kept.change { $0.append(cancellable) } }

  /// Cancels the cancellable kept last, and releases it.
  func cancelLast() { kept.change { $0.removeLast() }.cancel() }

  /// Holds something for ever, as a singleton does.
  func hold(_ value: some Sendable) { held.change { $0.append(value) } }

  /// Releases the held objects.
  func forgetAll() { held.value = [] }

  /// Runs a closure when the checks are done.
  func atEnd(_ body: @escaping @Sendable () async -> Void) { endings.append(body) }

  /// Ends every leak.
  func end() async {
    model?.stop()
    for ending in endings.all { await ending() }
    scores.send(completion: .finished)
    level.send(completion: .finished)
    for cancellable in kept.value { cancellable.cancel() }
    kept.value = []
    forgetAll()
    model?.stop()
  }

  /// Waits until a task waits in a loop that was begun here.
  func waitForLoop() async {
    guard let tracker = LifetimeTracker.current else { return }
    await LifetimeTracker.poll(within: .seconds(1800)) {
      tracker.liveSources.contains { waitingTasks(below: $0) > 0 }
    }
  }
}
