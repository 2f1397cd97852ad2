/// An activity that can be stopped.
///
/// ``cancel()`` may be called from any thread, at any time and any number of times; calls after the
/// first do nothing. Releasing a `Cancellable` doesn't stop its activity. An ``AnyCancellable``
/// cancels when it is deallocated, and ``store(in:)-(Set<AnyCancellable>)`` makes one.
public protocol Cancellable: SendableMetatype {
  /// Stops the activity and releases what it held.
  func cancel()
}

extension Cancellable {
  /// Wraps this cancellable in an ``AnyCancellable`` and appends it to the specified collection.
  ///
  /// The activity is cancelled when the wrapper leaves the collection or the collection is
  /// deallocated, unless something else retains the wrapper too.
  ///
  /// - Parameter collection: The collection that keeps the activity going.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Wraps this cancellable in an ``AnyCancellable`` and inserts it into the specified set.
  ///
  /// The activity is cancelled when the wrapper leaves the set or the set is deallocated, unless
  /// something else retains the wrapper too. Every call makes a new wrapper, so storing the same
  /// cancellable twice makes two members.
  ///
  /// - Parameter set: The set that keeps the activity going.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
