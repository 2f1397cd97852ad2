extension Publisher where Failure == Never {
  /// Assigns every value to a property of an object, which it does not keep alive.
  ///
  /// | who | retains |
  /// | --- | --- |
  /// | what this returns | the subscription, until it is cancelled or dies |
  /// | the subscription | the upstream and the subscriber, until cancel or completion |
  /// | the subscriber | the key path; not the object |
  ///
  /// So an object may keep what this returns and be assigned to itself: nothing of that is a cycle,
  /// and the subscription ends with the object. If the object is gone and somebody else keeps what
  /// this returned, the next value finds that out and cancels the upstream. `assign(to:on:)`, which
  /// is Combine's, retains the object instead.
  ///
  /// - Parameters:
  ///   - keyPath: says which property. It is assigned to on the thread that delivers, and so is to be
  ///     one that may be used there.
  ///   - object: whose property is assigned to. It is retained only while it is assigned to, so that
  ///     its last reference may be dropped on the delivering thread.
  /// - Returns: an object that keeps the subscription going; dropping it cancels.
  ///
  /// ```swift
  /// import Fanout
  ///
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
    subscribe(subscriber)
    return AnyCancellable(subscriber)
  }
}
