// Invariant of `@unchecked Sendable` in the example: one thread uses its objects.

extension Publisher where Failure == Never {
  /// Assigns every value to a property of an object, without keeping the object alive.
  ///
  /// | object | retains |
  /// | --- | --- |
  /// | the returned cancellable | the subscription, until it is cancelled or deallocated |
  /// | the subscription | the upstream and the subscriber, until cancel or completion |
  /// | the subscriber | the key path; not the object |
  ///
  /// So an object may store the returned cancellable and be the target itself: there is no cycle,
  /// and the subscription ends with the object. If the object is deallocated while something else
  /// retains the cancellable, the next value cancels the upstream. `assign(to:on:)`, which is
  /// Combine's, retains the object instead.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the property. The assignment happens on the delivering thread, so
  ///     the property must be safe to use there.
  ///   - object: The object whose property is assigned to. It is retained only during an
  ///     assignment, so its last reference may be released on the delivering thread.
  /// - Returns: A cancellable that keeps the subscription going; releasing it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
  /// // Used by one thread.
  /// final class Counter: @unchecked Sendable {
  ///   var count = 0 { didSet { print("count", count) } }
  ///   var counting: AnyCancellable?
  ///   init(_ numbers: some Publisher<Int, Never>) {
  ///     counting = numbers.assign(to: \.count, onWeak: self)
  ///   }
  ///   deinit { print("gone") }
  /// }
  ///
  /// let numbers = PassthroughSubject<Int, Never>()
  /// var counter: Counter? = Counter(numbers)
  /// numbers.send(1)
  /// counter = nil
  /// numbers.send(2)
  /// // Prints:
  /// // count 1
  /// // gone
  /// ```
  @preconcurrency
  public func assign<Root: AnyObject & Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, onWeak object: Root
  ) -> AnyCancellable {
    let subscriber = WeakAssign(object: object, keyPath: keyPath)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}
