// `@unchecked Sendable` invariant: the hub is safe to use from any thread, and a constant; a
// promise's only property is a reference that is closed once.
//
// Unsafe cast: the reference of a `PromisedFuture` holds a future of the same type.

public import FanoutEngine

/// A publisher of one value that is produced once for all subscribers, or of a failure.
///
/// - Starts: when it is made.
/// - Stops: when its promise is called.
/// - A late subscriber gets: the value, then the completion.
/// - A slow subscriber: gets it when it asks.
/// - Memory: one value.
///
/// - Completion: `.finished` follows the value. A failure needs no demand and arrives at once. A
///   later subscriber gets the same.
/// - Cancel: removes the subscriber; the work continues. The task of an `async` closure is
///   cancelled when the future is released.
/// - Concurrency: the promise may be called from any thread. The thread that calls it delivers, or
///   the thread that requests the value later. The first call counts; later ones are ignored.
/// - Ownership: the promise retains the future until it is called. The future retains its value for
///   good. It retains its subscribers, and they retain it, until cancel or completion: a subscriber
///   that is never cancelled keeps a future alive whose promise is never called.
/// - Cost: O(subscribers), once.
///
/// ```swift
/// import Fanout
///
/// let answer = Future<Int, Never> { promise in
///   print("working")
///   promise(.success(42))
///   promise(.success(43))
/// }
/// for name in ["first", "second"] {
///   let printed = answer.sink { print(name, $0) }
///   printed.cancel()
/// }
/// // Prints:
/// // working
/// // first 42
/// // second 42
/// ```
public final class Future<Output, Failure: Error>: Publisher {
  /// The closure that fulfils a future, with a value or a failure; callable from any thread.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  package let hub: Hub<Output, Subscribers.Completion<Failure>>
  /// The task of a future that was made with an asynchronous closure.
  package let task = Lock<Task<Void, Never>?>(nil)

  package init() {
    hub = Hub(.everything)
    noteCreation(of: self)
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Creates a future and starts its work.
  ///
  /// - Parameter attemptToFulfill: The closure that starts the work. It runs immediately, on this
  ///   thread, and is not retained. It receives the promise, and calls it or passes it on.
  @preconcurrency
  public convenience init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void)
  where Output: Sendable {
    self.init()
    let promised = PromisedFuture(self)
    attemptToFulfill { promised.fulfill($0) }
  }

  /// Attaches the specified subscriber, which receives the value as soon as the value exists and is
  /// requested.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .future)
  }

  /// Attaches the closures of a sink.
  @_documentation(visibility: internal)
  public func _sink(_ closures: consuming SinkClosures<Output, Subscribers.Completion<Failure>>)
    -> AnyCancellable
  {
    hub.sink(closures, owner: self)
  }

  package func fulfill(_ result: Result<Output, Failure>) {
    switch result {
    case .success(let output):
      hub.send(output)
      hub.finish(.finished)
    case .failure(let error):
      hub.finish(.failure(error))
    }
  }
}

extension Future: @unchecked Sendable where Output: Sendable {}

/// A promise's reference to its future, which the first call releases.
package final class PromisedFuture<Output, Failure: Error>: @unchecked Sendable {
  package let future: RundownReference

  init(_ future: Future<Output, Failure>) {
    self.future = RundownReference(.passRetained(future))
    noteCreation(of: self, isPart: true)
  }

  func fulfill(_ result: Result<Output, Failure>) {
    _ = future.closing(isCancel: false) {
      unsafeDowncast($0, to: Future<Output, Failure>.self).fulfill(result)
    }
  }
}
