/// The outcome of a value that was given to a ``Broadcast``.
///
/// ```swift
/// import Fanout
///
/// let events = Broadcast<Int, Never>()
/// print(events.yield(1).subscribers)
/// let loop = events.values.makeAsyncIterator()
/// print(events.yield(2).subscribers)
/// events.finish()
/// print(events.yield(3).isTerminated)
/// withExtendedLifetime(loop) {}
/// // Prints:
/// // 0
/// // 1
/// // true
/// ```
public struct Sent: Hashable, Sendable {
  /// The possible outcomes of a value.
  enum Outcome: Hashable, Sendable {
    case accepted
    case terminated
    case cancelled
  }

  let outcome: Outcome
  /// The number of loops and subscribers that were attached when the value was accepted.
  ///
  /// 0 means that there is none: the value is in the replay, if there is one, and nowhere else. A
  /// subscriber that comes at the same moment may count already. A subscriber that leaves, or whose
  /// backlog is full, may still not get the value; ``SharedSequence/deliveries()`` tells a loop
  /// what it has missed.
  public let subscribers: Int

  init(_ outcome: Outcome, subscribers: Int = 0) {
    self.outcome = outcome
    self.subscribers = subscribers
  }

  /// Whether the value was accepted.
  ///
  /// It is in front of the end then, and no subscriber gets it twice.
  public var isAccepted: Bool { outcome == .accepted }
  /// Whether the broadcast had ended, so that the value was not sent.
  public var isTerminated: Bool { outcome == .terminated }
  /// Whether the task was cancelled while it waited for room, so that the value was not sent.
  public var isCancelled: Bool { outcome == .cancelled }
}
