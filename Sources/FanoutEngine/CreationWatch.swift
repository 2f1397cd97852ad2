// Relaxed load: invariant: `watched` is a hint; an operation that is watched reads the observer,
// which is a task-local value, after it has raised the count on its own thread. It is a plain
// atomic and not the package's own: to an explorer of interleavings this is no shared state.

internal import Synchronization

/// The hook through which an observer learns which objects the package creates while an operation
/// runs.
///
/// Without an observer it costs one relaxed load for each object.
public enum CreationWatch: Sendable {
  /// The number of operations that are watched.
  static let watched = Atomic<Int>(0)

  /// The observer of this task, or of this thread if it runs no task.
  @TaskLocal package static var observer: (any CreationObserver)?

  /// Runs `body` with an observer of the objects that it, and the tasks it starts, create.
  package static func watching<Result>(
    _ observer: any CreationObserver, _ body: () throws -> Result
  ) rethrows -> Result {
    watched.wrappingAdd(1, ordering: .relaxed)
    defer { watched.wrappingSubtract(1, ordering: .relaxed) }
    return try $observer.withValue(observer, operation: body)
  }

  /// Runs an asynchronous `body` with an observer, in the same way.
  package static func watching<Result>(
    _ observer: any CreationObserver, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    watched.wrappingAdd(1, ordering: .relaxed)
    defer { watched.wrappingSubtract(1, ordering: .relaxed) }
    return try await $observer.withValue(observer, operation: body, isolation: isolation)
  }

  @inline(never)
  static func tell(_ object: AnyObject, isPart: Bool) {
    observer?.didMake(object, isPart: isPart)
  }
}

/// An observer of the objects that the package creates.
package protocol CreationObserver: Sendable {
  /// Called for each object, inside its initialiser, in some cases under a lock of the package.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - isPart: Whether only other objects of the package refer to it.
  func didMake(_ object: AnyObject, isPart: Bool)
}

/// Reports a new object to the observer, if there is one.
///
/// - Parameters:
///   - object: The object, at the end of its initialiser. The check for an observer does not retain
///     it.
///   - isPart: Whether only others of the package's objects refer to it.
@inline(__always)
public func noteCreation(of object: @autoclosure () -> AnyObject, isPart: Bool = false) {
  guard CreationWatch.watched.load(ordering: .relaxed) != 0 else { return }
  CreationWatch.tell(object(), isPart: isPart)
}
