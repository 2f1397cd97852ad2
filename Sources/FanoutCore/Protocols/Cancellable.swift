/// Something that is going on and can be stopped.
///
/// ``cancel()`` may be called from any thread, at any time and any number of times; calls after the
/// first do nothing. A `Cancellable` that is dropped goes on. ``AnyCancellable`` is the one that
/// cancels when it dies, and ``store(in:)-(Set<AnyCancellable>)`` makes one.
public protocol Cancellable {
  /// Stops the activity and lets go of what it held.
  func cancel()
}

extension Cancellable {
  /// Puts this cancellable, wrapped in an ``AnyCancellable``, at the end of a collection.
  ///
  /// It is cancelled when it leaves the collection or the collection dies, unless somebody else
  /// holds the wrapper too.
  ///
  /// - Parameter collection: The collection that keeps the activity going.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Puts this cancellable, wrapped in an ``AnyCancellable``, into a set.
  ///
  /// It is cancelled when it leaves the set or the set dies, unless somebody else holds the wrapper
  /// too. Every call makes a new wrapper, so storing the same cancellable twice makes two members.
  ///
  /// - Parameter set: The set that keeps the activity going.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}
