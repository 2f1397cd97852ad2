/// A publisher that creates a publisher for each subscriber at the moment it subscribes.
///
/// - Concurrency: the closure runs on the subscribing thread, outside any lock.
///
/// ```swift
/// import Fanout
///
/// let runs = Deferred { () -> Just<String> in
///   print("made")
///   return Just("value")
/// }
/// let first = runs.sink { print($0) }
/// let second = runs.sink { print($0) }
/// first.cancel()
/// second.cancel()
/// // Prints:
/// // made
/// // value
/// // made
/// // value
/// ```
@frozen
public struct Deferred<DeferredPublisher: Publisher>: Publisher, Sendable {
  /// The output of the created publishers.
  public typealias Output = DeferredPublisher.Output
  /// The failure of the created publishers.
  public typealias Failure = DeferredPublisher.Failure

  /// The closure that creates the publisher for one subscriber.
  @preconcurrency public let createPublisher: @Sendable () -> DeferredPublisher

  /// Creates a publisher that calls a closure for each subscriber.
  ///
  /// - Parameter createPublisher: The closure that creates the publisher for one subscriber.
  @preconcurrency
  public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Creates a publisher and attaches the specified subscriber to it.
  ///
  /// - Parameter subscriber: The subscriber to attach.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}
