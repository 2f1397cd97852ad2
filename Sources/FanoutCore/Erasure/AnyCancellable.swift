// `@unchecked Sendable` invariant: `body` is written in `init`, and after that touched only by the
// one caller that turned `state` from idle to something else, or in `deinit`, when no caller is left.
// That the body may run on any thread is promised by whoever gives it: a `@Sendable` closure by its
// type, a `Cancellable` by that protocol's contract.

public import FanoutEngine
public import Synchronization

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
  @usableFromInline static var idle: UInt8 { 0 }
  private static var cancelled: UInt8 { 1 }
  private static var lookedAt: UInt8 { 2 }

  /// What is cancelled: an object is held as such, so that it can be told who holds it.
  @usableFromInline
  enum Body {
    case object(any Cancellable & AnyObject)
    case closure(() -> Void)

    func cancel() {
      switch self {
      case .object(let object): object.cancel()
      case .closure(let closure): closure()
      }
    }
  }

  @exclusivity(unchecked) @usableFromInline var body: Body?
  @usableFromInline let state = AtomicValue<UInt8>(idle)

  @inlinable
  init(body: Body) {
    self.body = body
    noteCreation(of: self)
  }

  /// Makes a cancellable that runs a closure.
  ///
  /// - Parameter cancel: What cancelling does. It runs once, on the thread that cancels or that
  ///   drops the last reference, with no lock held, and is then let go.
  @preconcurrency
  public convenience init(_ cancel: @escaping @Sendable () -> Void) {
    self.init(body: .closure(cancel))
  }

  /// Makes a cancellable that cancels another.
  ///
  /// - Parameter canceller: What is cancelled, once. It is retained until then.
  @inlinable
  public convenience init<C: Cancellable>(_ canceller: C) {
    self.init(body: .closure { canceller.cancel() })
  }

  /// Makes a cancellable that cancels an object.
  ///
  /// - Parameter canceller: What is cancelled, once. It is retained until then.
  @inlinable
  public convenience init<C: Cancellable & AnyObject>(_ canceller: C) {
    self.init(body: .object(canceller))
  }

  deinit {
    // Not atomic: nobody else is left. Where `cancel()` took the body, nothing is left to run.
    body?.cancel()
  }

  /// Cancels, if that has not happened yet.
  ///
  /// One caller cancels; others that come at the same time, and calls from inside the cancellation,
  /// return without waiting for it.
  public func cancel() {
    while !change(from: Self.idle, to: Self.cancelled) {
      // Who only looks at the body is done in a moment.
      if state.load(ordering: .acquiring) == Self.cancelled { return }
    }
    self.body.take()?.cancel()
  }

  /// Whether two are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the object's identity.
  ///
  /// - Parameter hasher: Where the identity goes.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension AnyCancellable: ReferenceListing {
  package var heldReferences: [HeldReference] {
    guard change(from: Self.idle, to: Self.lookedAt) else { return [] }
    let held: [HeldReference] =
      switch body {
      case .object(let object): [.value("body", object)]
      case .closure(let closure): [.closure("body", closure)]
      case nil: []
      }
    state.store(Self.idle, ordering: .releasing)
    return held
  }

  private func change(from old: UInt8, to new: UInt8) -> Bool {
    state.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
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

@available(*, unavailable)
extension AnyCancellable.Body: Sendable {}
