public import Synchronization

// A plain atomic and not the package's own: to an explorer of interleavings this is no shared state.

/// Lets somebody watch which objects the package makes, for as long as an operation runs.
///
/// Unless somebody does, making an object costs one relaxed load more.
public enum CreationWatch: Sendable {
  /// How many operations are being watched.
  @usableFromInline static let watched = Atomic<Int>(0)

  @TaskLocal static var observer: (any CreationObserver)?

  /// Who watches this task, or this thread if it runs no task.
  package static var currentObserver: (any CreationObserver)? { observer }

  /// Runs `body` with an observer of what is made in it, and in the tasks that it starts.
  package static func watching<Result>(
    _ observer: any CreationObserver, _ body: () throws -> Result
  ) rethrows -> Result {
    watched.wrappingAdd(1, ordering: .relaxed)
    defer { watched.wrappingSubtract(1, ordering: .relaxed) }
    return try $observer.withValue(observer, operation: body)
  }

  /// Runs `body` with an observer of what is made in it, and in the tasks that it starts.
  package static func watching<Result>(
    _ observer: any CreationObserver, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    watched.wrappingAdd(1, ordering: .relaxed)
    defer { watched.wrappingSubtract(1, ordering: .relaxed) }
    return try await $observer.withValue(observer, operation: body, isolation: isolation)
  }

  @usableFromInline
  @inline(never)
  static func tell(_ object: AnyObject, isPart: Bool) {
    observer?.didMake(object, isPart: isPart)
  }
}

/// Is told of each object that the package makes.
package protocol CreationObserver: Sendable {
  /// An object was made; `isPart` if it is one that only others of the package refer to.
  ///
  /// Called inside initialisers, some of them under a lock of the package.
  func didMake(_ object: AnyObject, isPart: Bool)
}

/// Says that an object was made, to whoever watches.
///
/// - Parameters:
///   - object: The object, at the end of its initialiser. It is not retained for the question
///     whether anybody watches.
///   - isPart: Whether only others of the package's objects refer to it.
@inlinable
@inline(__always)
public func noteCreation(of object: @autoclosure () -> AnyObject, isPart: Bool = false) {
  guard CreationWatch.watched.load(ordering: .relaxed) != 0 else { return }
  CreationWatch.tell(object(), isPart: isPart)
}
