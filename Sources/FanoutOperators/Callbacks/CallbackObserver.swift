// `@unchecked Sendable` invariant: all state is behind the lock. A target may be called from any
// thread; only its type cannot state that.

package import FanoutCore
package import FanoutEngine

/// The destination of the values that an API reports; callable from any thread.
package protocol CallbackTarget<Output, Failure>: AnyObject {
  associatedtype Output
  associatedtype Failure: Error

  func accept(_ value: Output)
  func accept(completion: Subscribers.Completion<Failure>)
}

/// The observer that an API receives: it leads to the subscription until that is over, and then to
/// nothing.
package final class CallbackObserver<Output, Failure: Error>: @unchecked Sendable {
  package let target: Lock<(any CallbackTarget<Output, Failure>)?>

  init(for target: any CallbackTarget<Output, Failure>) {
    self.target = Lock(target)
    noteCreation(of: self, isPart: true)
  }

  private var current: (any CallbackTarget<Output, Failure>)? { target.withLock { $0 } }

  var handler: @Sendable (Output) -> Void { { self.current?.accept($0) } }

  var finish: @Sendable (Subscribers.Completion<Failure>) -> Void {
    { self.current?.accept(completion: $0) }
  }

  /// Releases the target.
  func close() {
    withExtendedLifetime(target.take()) {}
  }
}
