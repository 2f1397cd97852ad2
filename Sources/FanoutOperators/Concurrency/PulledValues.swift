// Unsafe cast: `pullSource` is set to a `PullSource` of this input only.

public import FanoutCore
public import FanoutEngine
public import Synchronization

/// The part of the subscriber behind an asynchronous iterator that takes values out of a source.
@usableFromInline
package class PulledValues<Input, Failure: Error>: SubscribedNode<Input, Failure> {
  /// Whether values can be taken out of the source without a delivery; false again when this is over.
  @usableFromInline final let isPullable = AtomicValue<Bool>(false)
  /// The stage's source, if values can be taken out of it: set before `isPullable`, and released with this object.
  ///
  /// So a value needs no user of the stage. A source that is over has released everything but itself.
  @usableFromInline package final let pullSource = AtomicLazyReference()

  /// Takes a value out of the source or requests one, and waits for it.
  ///
  /// If the task is cancelled before or meanwhile, it cancels the upstream.
  @inlinable
  final func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    if Task.isCancelled { cancel() }
    if let value = pull() { return value }
    return try await awaitNext(isolation: actor)
  }

  /// Takes a value out of a source that has its values at hand: no call has to wait for it.
  @inlinable
  package final func pull() -> Input? {
    guard isPullable.load(ordering: .acquiring) else { return nil }
    return BoundedDelivery.limit {
      var value: Input?
      pullSource.withObject {
        unsafeDowncast($0, to: PullSource<Input>.self).pull {
          isPullable.load(ordering: .acquiring)
        } _: {
          value = $0
        }
      }
      return value
    }
  }

  /// Waits for the next value, which cannot be pulled.
  @usableFromInline
  func awaitNext(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? { nil }
}
