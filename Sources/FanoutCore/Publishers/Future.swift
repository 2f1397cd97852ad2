// `@unchecked Sendable` invariant: the hub is safe to use from any thread, and a constant; a promise's
// only property is a reference that is taken out once.
//
// Unsafe cast: the reference of a `PromisedFuture` holds a future of the same type.

public import FanoutEngine

/// A publisher of one value that is made once, however many subscribe, or of a failure.
///
/// | starts | stops | a late subscriber gets | slow subscriber | memory |
/// | --- | --- | --- | --- | --- |
/// | when it is made | when its promise is called | the value, then the completion | gets it when it asks | one value |
///
/// - Completion: `.finished` follows the value; a failure needs no demand and comes at once. A later
///   subscriber gets the same.
/// - Cancel: takes the subscriber out; the work goes on.
/// - Concurrency: the promise may be called from any thread. It delivers on the thread that calls it,
///   or that asks later. The first call counts, every later one is ignored.
/// - Ownership: the promise retains the future until it is called. The future retains its value for
///   good and its subscribers, which retain it, until cancel or completion: one whose promise is never
///   called is kept by a subscriber that nobody cancels.
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
  /// What fulfils a future, with a value or a failure; callable from any thread.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let hub: Hub<Output, Subscribers.Completion<Failure>>
  /// The task of a future that was made with an asynchronous closure.
  let task = Lock<Task<Void, Never>?>(nil)

  init() {
    hub = Hub(.everything)
    noteCreation(of: self)
  }

  deinit { task.withLock { $0 }?.cancel() }

  /// Makes a future and starts the work for it.
  ///
  /// - Parameter attemptToFulfill: called at once, on this thread, and not kept. It is given the
  ///   promise, which it calls or hands on.
  @preconcurrency
  public convenience init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    self.init()
    let promised = PromisedFuture(self)
    attemptToFulfill { promised.fulfill($0) }
  }

  /// Attaches a subscriber; it receives the value, once there is one and it has asked.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: .future)
  }

  func fulfill(_ result: Result<Output, Failure>) {
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

extension Future: ReferenceListing {
  package var heldReferences: [HeldReference] { [.value("hub", hub)] }
}

/// What a promise knows of its future, which it lets go of when it is called.
final class PromisedFuture<Output, Failure: Error>: @unchecked Sendable {
  let future: TakeableReference

  init(_ future: Future<Output, Failure>) {
    self.future = TakeableReference(.passRetained(future))
    noteCreation(of: self, isPart: true)
  }

  func fulfill(_ result: Result<Output, Failure>) {
    guard let future = future.take()?.takeRetainedValue() else { return }
    unsafeDowncast(future, to: Future<Output, Failure>.self).fulfill(result)
  }
}

extension PromisedFuture: ReferenceListing {
  package var heldReferences: [HeldReference] { future.look { [.value("future", $0)] } ?? [] }
}
