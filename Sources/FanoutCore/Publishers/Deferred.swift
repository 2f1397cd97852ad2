/// A publisher that makes a publisher for each subscriber, when it subscribes.
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
  /// The values of the publishers that are made.
  public typealias Output = DeferredPublisher.Output
  /// The failure of the publishers that are made.
  public typealias Failure = DeferredPublisher.Failure

  /// Makes the publisher for one subscriber.
  @preconcurrency public let createPublisher: @Sendable () -> DeferredPublisher

  /// Makes a publisher that calls `createPublisher` for each subscriber.
  @inlinable
  @preconcurrency
  public init(createPublisher: @escaping @Sendable () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber to a publisher made for it.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}
