// Invariant: arrays of cancellables leave the lock before one of them is looked at or released.

internal import FanoutEngine

/// An owner of many cancellables that forgets those which have ended.
///
/// A `Set<AnyCancellable>` keeps each cancellable until you remove it, even if its publisher
/// finished long ago. So the set of an object that makes a request now and then only grows. A bag
/// forgets what has ended. It is `Sendable`, so actors and `Sendable` classes can have one as a
/// constant.
///
/// - Ownership: retains its cancellables. When it is released, it cancels them.
/// - Concurrency: every member may be used from any thread. Nothing is cancelled or released under
///   a lock.
/// - Cost: amortised O(1) for each cancellable. It looks for ended ones when it holds twice as many
///   as were alive at the last look, and at least 16. Between two looks it holds no more than that.
///
/// ```swift
/// import Fanout
///
/// final class Model: Sendable {
///   private let bag = CancellableBag()
///
///   func load(_ number: Int) { Just(number).sink { print("loaded", $0) }.store(in: bag) }
///   var pending: Int { bag.count }
/// }
///
/// let model = Model()
/// for number in 1...2 { model.load(number) }
/// print("pending", model.pending)
/// // Prints:
/// // loaded 1
/// // loaded 2
/// // pending 0
/// ```
public final class CancellableBag: Cancellable, Sendable {
  private struct Kept: Sendable {
    var cancellables: [AnyCancellable] = []
    /// The number of cancellables at which it looks for ended ones.
    var limit = 16
  }

  private let kept = Lock(Kept())

  /// Creates an empty bag.
  public init() {}

  /// The number of cancellables that have not ended and were not cancelled.
  ///
  /// Those of closures and of cancellables that are not Fanout's end when they are cancelled. Cost:
  /// O(cancellables).
  public var count: Int {
    forgetEnded()
    return kept.withLock { $0.cancellables.count }
  }

  /// Keeps a cancellable until it has ended, the bag is cancelled or the bag is released.
  ///
  /// - Parameter cancellable: The cancellable.
  public func insert(_ cancellable: AnyCancellable) {
    let isFull = kept.withLock { kept in
      kept.cancellables.append(cancellable)
      return kept.cancellables.count >= kept.limit
    }
    if isFull { forgetEnded() }
  }

  /// Cancels everything in the bag, and empties it.
  ///
  /// The bag can be used again.
  public func cancel() {
    let cancelled = kept.withLock { kept in
      defer { kept = Kept() }
      return kept.cancellables
    }
    for cancellable in cancelled { cancellable.cancel() }
  }

  /// Releases the cancellables that have ended.
  private func forgetEnded() {
    // A look at one may release an object of the user's.
    let known = kept.withLock { $0.cancellables }
    let ended = Set(known.filter(\.hasEnded))
    guard !ended.isEmpty else {
      return kept.withLock { $0.limit = max(16, 2 * $0.cancellables.count) }
    }
    withExtendedLifetime(known) {
      kept.withLock { kept in
        kept.cancellables.removeAll { ended.contains($0) }
        kept.limit = max(16, 2 * kept.cancellables.count)
      }
      // Without a cancel, which could take back an end that another thread is just handing over.
      for cancellable in ended { cancellable.activity.taking { _ in } }
    }
  }
}

extension AnyCancellable {
  /// Whether there is nothing left to cancel, as far as that is known.
  var hasEnded: Bool {
    var hasEnded = activity.isTaken
    _ = activity.inspect { if let node = $0 as? any EndingNode { hasEnded = node.hasEnded } }
    return hasEnded
  }
}

extension Cancellable {
  /// Keeps this cancellable in the specified bag, in an ``AnyCancellable`` if it is none itself.
  ///
  /// - Parameter bag: The bag that keeps the activity going until it has ended.
  public func store(in bag: CancellableBag) {
    bag.insert(self as? AnyCancellable ?? AnyCancellable(self))
  }
}
