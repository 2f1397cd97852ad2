internal import FanoutEngine

/// Histories by key: one for each key whose history is in use.
///
/// It is for rooms and topics with a store each, beside a ``SharedByKey``. Loops of one key share
/// their reads (H5). The history of a key is released with the last loop over it.
///
/// - Concurrency: it may be used from any thread.
/// - Keys: they are hashed and compared under a lock, so their `hash(into:)` and `==` must not use
///   this object; there it traps.
/// - Cost: a look into a dictionary, under a lock, for each use of the subscript.
///
/// ```swift
/// import Fanout
///
/// let stored = ["tea": [1, 2, 3], "cake": [10, 20]]
/// let rooms = SharedByKey(replay: .last(1)) { (room: String) in
///   Just(stored[room]?.last ?? 0)
/// }
/// let histories = HistoryByKey { (room: String) in
///   History(by: \Int.self) { range in
///     print("reads", room)
///     return (stored[room] ?? []).filter { range.contains($0) }
///   }
/// }
/// let loop = rooms["tea"].joining(after: 1, from: histories["tea"])
/// for await number in loop.values { print(number) }
/// // Prints:
/// // reads tea
/// // 2
/// // 3
/// ```
public final class HistoryByKey<
  Key: Hashable & Sendable, Value: Sendable, ID: Comparable & Sendable
>:
  Sendable
{
  private struct Slot {
    weak var history: History<Value, ID>?
  }

  private struct State {
    var slots: [Key: Slot] = [:]
    /// The number of slots at which those without a history are taken out.
    var room = 32
  }

  private let state = KeyLock(
    State(),
    misuse: """
      HistoryByKey: hash(into:) or == of a key uses the HistoryByKey that looks for the key; \
      compare and hash the key alone.
      """)
  private let makeHistory: @Sendable (Key) -> History<Value, ID>

  /// Creates an object without keys.
  ///
  /// - Parameter makeHistory: The closure that returns the history of a key. It is called when the
  ///   key comes into use, outside any lock. Of two made at the same time, one is discarded.
  public init(_ makeHistory: @escaping @Sendable (Key) -> History<Value, ID>) {
    self.makeHistory = makeHistory
  }

  /// The history of a key, the same one for as long as it is in use.
  ///
  /// - Parameter key: The key.
  public subscript(key: Key) -> History<Value, ID> {
    if let known = state.withLock({ $0.slots[key]?.history }) { return known }
    let made = makeHistory(key)
    let (history, released) = state.withLock { state in
      if let known = state.slots[key]?.history { return (known, Released([:], [:])) }
      let released = state.slots.count < state.room ? ([:], [:]) : Self.removeUnused(from: &state)
      state.slots[key] = Slot(history: made)
      return (made, released)
    }
    // Not under the lock: the release of a key or a history may run code of the user.
    withExtendedLifetime(released) {}
    return history
  }

  private typealias Released = ([Key: Slot], [Key: History<Value, ID>])

  /// Takes the slots out whose history is released, and returns what must not be released here.
  private static func removeUnused(from state: inout State) -> Released {
    let (old, used) = (state.slots, state.slots.compactMapValues(\.history))
    state.slots = used.mapValues { Slot(history: $0) }
    state.room = max(32, 2 * used.count)
    return (old, used)
  }
}
