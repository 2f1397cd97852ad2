// `@unchecked Sendable` invariant: all state is behind the lock; a target may be called from any thread,
// and only cannot say so.

internal import FanoutEngine

/// Where what an API reports goes; may be called from any thread.
protocol CallbackTarget<Output, Failure>: AnyObject {
  associatedtype Output
  associatedtype Failure: Error

  func accept(_ value: Output)
  func accept(completion: Subscribers.Completion<Failure>)
}

/// What an API with observers is given: it leads to the subscription until that is over, and then to
/// nothing.
final class CallbackObserver<Output, Failure: Error>: @unchecked Sendable {
  private let target: Lock<(any CallbackTarget<Output, Failure>)?>

  init(for target: any CallbackTarget<Output, Failure>) {
    self.target = Lock(target)
    noteCreation(of: self, isPart: true)
  }

  private var current: (any CallbackTarget<Output, Failure>)? { target.withLock { $0 } }

  var handler: @Sendable (Output) -> Void { { self.current?.accept($0) } }

  var finish: @Sendable (Subscribers.Completion<Failure>) -> Void {
    { self.current?.accept(completion: $0) }
  }

  /// Lets go of the target.
  func close() {
    let old = target.withLock { target in
      defer { target = nil }
      return target
    }
    withExtendedLifetime(old) {}
  }
}

extension CallbackObserver: ReferenceListing {
  package var heldReferences: [HeldReference] { current.map { [.value("target", $0)] } ?? [] }
}
