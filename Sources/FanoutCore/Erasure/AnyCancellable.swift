// `@unchecked Sendable` invariant: the object of `activity` is taken by the one caller that
// cancels, or in `deinit`, when there is no caller left. The source of the cancellable guarantees
// that any thread may cancel it: a `@Sendable` closure by its type, a `Cancellable` by that
// protocol's contract.
//
// Unsafe cast: `activity` holds only nodes.

public import FanoutEngine

/// An owner of an activity, which cancels it when asked to or when deallocated.
///
/// It retains the activity and cancels it exactly once: at the first ``cancel()``, or at
/// deallocation if `cancel()` was never called. When `cancel()` returns, it has released what it
/// retained. It may be used from any thread and is always `Sendable`.
///
/// A cancellable that is not stored is deallocated at once, and its activity ends. Store it in a
/// property, or put many into a set with ``store(in:)-(Set<AnyCancellable>)``. Two cancellables are
/// equal if they are the same object.
///
/// ```swift
/// import Fanout
///
/// var kept: Set<AnyCancellable> = []
/// AnyCancellable { print("cancelled") }.store(in: &kept)
/// print("keeping", kept.count)
/// kept.removeAll()
/// // Prints:
/// // keeping 1
/// // cancelled
/// ```
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  package let activity: TakeOnceReference

  @usableFromInline
  init(retained node: Unmanaged<ChainNode>) {
    activity = TakeOnceReference(.fromOpaque(node.toOpaque()))
    noteCreation(of: self)
  }

  /// Creates a cancellable that runs a closure.
  ///
  /// - Parameter cancel: The closure to run at cancellation. It runs once, on the thread that
  ///   cancels or that releases the last reference, with no lock held, and is then released.
  @preconcurrency
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(retained: .passRetained(CancelledClosure(cancel)))
  }

  /// Creates a cancellable that cancels another one.
  ///
  /// - Parameter canceller: The cancellable to cancel, once. It is retained until then.
  public convenience init<C: Cancellable>(_ canceller: C) {
    self.init(retained: .passRetained((canceller as? ChainNode) ?? Cancelled(canceller)))
  }

  deinit { cancel() }

  /// Cancels, if that has not happened yet.
  ///
  /// One caller cancels; others that come at the same time, and calls from inside the cancellation,
  /// return without waiting for it.
  public func cancel() {
    activity.taking { unsafeDowncast($0, to: ChainNode.self).cancel() }
  }

  /// Returns whether two cancellables are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  ///
  /// - Parameter hasher: The hasher that receives the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable {
  /// Appends this cancellable to the specified collection.
  ///
  /// The activity is cancelled when the cancellable leaves the collection or the collection is
  /// deallocated, unless something else retains it too.
  ///
  /// - Parameter collection: The collection that keeps the activity going.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Inserts this cancellable into the specified set.
  ///
  /// The activity is cancelled when the cancellable leaves the set or the set is deallocated,
  /// unless something else retains it too.
  ///
  /// - Parameter set: The set that keeps the activity going.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}
