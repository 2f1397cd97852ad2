extension Publisher where Failure == Never {
  /// Assigns every value to a property of an object, until the returned object is cancelled or dies.
  ///
  /// The object is retained until then, or until the completion. An object that keeps what this
  /// returns and is itself assigned to keeps itself alive; `assign(to:onWeak:)` does not.
  ///
  /// - Parameters:
  ///   - keyPath: says which property. It is assigned to on the thread that delivers, and so is to be
  ///     one that may be used there.
  ///   - object: whose property is assigned to.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
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
  @inlinable
  @preconcurrency
  public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
