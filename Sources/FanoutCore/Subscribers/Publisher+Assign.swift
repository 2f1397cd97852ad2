// Invariant of `@unchecked Sendable` in the example: one thread uses its objects.

extension Publisher where Failure == Never {
  /// Assigns every value to a property of an object, until the returned cancellable is cancelled or
  /// deallocated.
  ///
  /// The object is retained until then, or until the completion. If the object stores the returned
  /// cancellable, it keeps itself alive; `assign(to:onWeak:)` avoids that.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property. The assignment happens on the delivering thread, so
  ///     the property must be safe to use there.
  ///   - object: The object whose property is assigned to.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// // Used by one thread.
  /// final class Counter: @unchecked Sendable {
  ///   var count = 0 { didSet { print("count", count) } }
  /// }
  ///
  /// let counter = Counter()
  /// let counting = (1...2).publisher.assign(to: \.count, on: counter)
  /// counting.cancel()
  /// // Prints:
  /// // count 1
  /// // count 2
  /// ```
  @preconcurrency
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}
