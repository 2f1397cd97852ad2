// `@unchecked Sendable` invariant: `body` is taken out by the one caller that cancels, or in `deinit`,
// when no caller is left. That it may be cancelled on any thread is promised by whoever gives it: a
// `@Sendable` closure by its type, a `Cancellable` by that protocol's contract.
//
// Unsafe cast: `body` holds only links.

public import FanoutEngine

/// Keeps an activity going, and cancels it when it is told to or when it dies.
///
/// It retains what it cancels. It cancels exactly once: at the first ``cancel()``, or at its own end
/// if nobody called that. By the time `cancel()` returns it has let go of what it retained. It may be
/// used from any thread, and is `Sendable` always.
///
/// A cancellable that is not kept is gone at once, and the activity with it. Keep it in a property,
/// or put many into a set with ``store(in:)-(Set<AnyCancellable>)``. Two are equal if they are the
/// same object.
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
  @usableFromInline let body: TakeableReference

  @inlinable
  init(retained link: Unmanaged<Link>) {
    body = TakeableReference(.fromOpaque(link.toOpaque()))
    noteCreation(of: self)
  }

  /// Makes a cancellable that runs a closure.
  ///
  /// - Parameter cancel: What cancelling does. It runs once, on the thread that cancels or that
  ///   drops the last reference, with no lock held, and is then let go.
  @preconcurrency
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(retained: .passRetained(CancelledClosure(cancel)))
  }

  /// Makes a cancellable that cancels another.
  ///
  /// - Parameter canceller: What is cancelled, once. It is retained until then.
  public convenience init<C: Cancellable>(_ canceller: C) {
    self.init(retained: .passRetained((canceller as? Link) ?? Cancelled(canceller)))
  }

  deinit { take()?.cancel() }

  /// Cancels, if that has not happened yet.
  ///
  /// One caller cancels; others that come at the same time, and calls from inside the cancellation,
  /// return without waiting for it.
  public func cancel() { take()?.cancel() }

  @inline(__always)
  private func take() -> Link? {
    body.take().map { unsafeDowncast($0.takeRetainedValue(), to: Link.self) }
  }

  /// Whether two are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  ///
  /// - Parameter hasher: Where the identity goes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable: ReferenceListing {
  package var heldReferences: [HeldReference] { body.look { [.value("body", $0)] } ?? [] }
}

extension AnyCancellable {
  /// Puts this cancellable at the end of a collection.
  ///
  /// The activity is cancelled when the cancellable leaves the collection or the collection dies,
  /// unless somebody else holds it too.
  ///
  /// - Parameter collection: The collection that keeps the activity going.
  public func store<C: RangeReplaceableCollection>(in collection: inout C)
  where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Puts this cancellable into a set.
  ///
  /// The activity is cancelled when the cancellable leaves the set or the set dies, unless somebody
  /// else holds it too.
  ///
  /// - Parameter set: The set that keeps the activity going.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}
