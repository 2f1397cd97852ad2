// `@unchecked Sendable` invariant: all state is behind the lock. An owner may be called from any
// thread; only its type cannot state that.

package import FanoutCore
package import FanoutEngine

/// The work on one value, in a task, and then its result until that is delivered.
///
/// It retains its owner while it works, so that results arrive even if nothing else retains the
/// owner. A run that was given up retains nothing but its task.
package final class AsyncMapRun<Input: Sendable, Failure: Error, Downstream: Subscriber>:
  @unchecked Sendable
{
  package typealias Owner = AsyncMapSubscription<Input, Failure, Downstream>

  package enum Phase {
    case working(Owner, Task<Void, Never>?)
    case ready(Downstream.Input)
    case done
    case givenUp
  }

  package let phase: Lock<Phase>

  init(for owner: Owner) {
    phase = Lock(.working(owner, nil))
    noteCreation(of: self, isPart: true)
  }

  /// Whether there is a result to deliver.
  var isReady: Bool {
    phase.withLock { if case .ready = $0 { true } else { false } }
  }

  /// Starts the task.
  func start(_ work: @escaping @Sendable () async -> Owner.Outcome) {
    let task = startTask { if self.isWorking { self.complete(await work()) } }
    let isGivenUp = phase.withLock { phase in
      if case .givenUp = phase { return true }
      if case .working(let owner, _) = phase { phase = .working(owner, task) }
      return false
    }
    if isGivenUp { task.cancel() }
  }

  private var isWorking: Bool {
    phase.withLock { if case .working(let owner, _) = $0 { !owner.isCancelled } else { false } }
  }

  private func complete(_ result: Owner.Outcome) {
    let owner = phase.withLock { phase -> Owner? in
      guard case .working(let owner, _) = phase else { return nil }
      if case .success(let output) = result { phase = .ready(output) } else { phase = .done }
      return owner
    }
    guard let owner else { return }
    switch result {
    case .success: owner.didSucceed()
    case .failure(let error): owner.didFail(self, error)
    }
  }

  /// Takes the result out; called once, when there is a result.
  func takeResult() -> Downstream.Input {
    let result = phase.withLock { phase -> Downstream.Input? in
      guard case .ready(let output) = phase else { return nil }
      phase = .done
      return output
    }
    guard let result else {
      preconditionFailure("AsyncMapRun.takeResult(): no result; call it once when isReady.")
    }
    return result
  }

  /// Cancels the task and releases everything.
  func giveUp() {
    let old = phase.withLock { phase in
      defer { phase = .givenUp }
      return phase
    }
    if case .working(_, let task) = old { task?.cancel() }
  }
}
