// Relaxed loads: invariant: `isIdle` and `has(_:)` are hints. A thread that acts on them takes the drain or clears
// the note by an acquiring operation, or takes the lock of the inbox, before it reads what others have written.
// `isRunning(with:)` is called under a lock that the holder takes after it has cleared that note, before it leaves
// the drain or in the action that it schedules.

public import Synchronization

/// The right to deliver, held by one thread at a time, with notes of the work that others left.
///
/// It is not a lock: no thread waits for it. A thread that finds it idle takes it and delivers. A thread
/// that finds it taken leaves its work, sets a note and returns. The holder can leave only while no note
/// is set, so it always sees work that others left.
public struct Drain: ~Copyable, Sendable {
  /// The kinds of work that wait.
  @frozen
  public struct Note: OptionSet, Sendable {
    /// The bits of the note.
    public let rawValue: UInt

    /// Makes a note from bits.
    @inlinable
    public init(rawValue: UInt) { self.rawValue = rawValue }

    @inlinable static var running: Note { Note(rawValue: 1) }
    /// Signals wait in the order in which the hub accepted them.
    @inlinable public static var queued: Note { Note(rawValue: 2) }
    /// A receiver requested more or cancelled, which takes effect before the next delivery.
    @inlinable public static var attention: Note { Note(rawValue: 4) }
    /// Another thread reads what the holder may not touch meanwhile, and goes on as the holder if the drain is
    /// abandoned until then.
    @inlinable public static var reading: Note { Note(rawValue: 8) }
    /// The queue under the drain is not clear: something waits in it for demand, or it is closed.
    ///
    /// It needs no work, so it stays while the drain is idle, and keeps `tryEnter()` from entering: a thread that
    /// succeeds has nothing in front of it.
    @inlinable public static var blocked: Note { Note(rawValue: 16) }
  }

  /// The way in which a turn of work ends.
  @frozen
  public enum Turn: Sendable {
    /// Everything was done that can be done now; the note stays while the drain is idle.
    case done(Note)
    /// More is left to do.
    case more
    /// The holder is another thread from here on.
    case handedOver
  }

  @usableFromInline let state: AtomicValue<UInt>

  /// Creates a drain that is idle, or that the caller already holds.
  @inlinable
  public init(running: Bool = false) {
    state = AtomicValue(running ? Note.running.rawValue : 0)
  }

  /// Whether the drain appears idle; a read that avoids a write to shared memory.
  @inlinable public var isIdle: Bool { state.load(ordering: .relaxed) == 0 }

  /// Whether a thread is delivering that will see this note; the caller guards the note with a
  /// lock.
  @inlinable
  public borrowing func isRunning(with note: Note) -> Bool {
    let wanted = note.union(.running)
    return state.load(ordering: .relaxed) & wanted.rawValue == wanted.rawValue
  }

  /// Takes the drain if it is idle and no work waits.
  @inlinable
  public borrowing func tryEnter() -> Bool {
    state.compareExchange(
      expected: 0, desired: Note.running.rawValue,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Leaves the drain unless work waits.
  ///
  /// If this returns false, the caller still holds the drain and must do that work.
  @inlinable
  public borrowing func tryLeave() -> Bool {
    state.compareExchange(
      expected: Note.running.rawValue, desired: 0,
      successOrdering: .releasing, failureOrdering: .acquiring
    ).exchanged
  }

  /// Leaves the drain unless work waits, and leaves a note in it.
  ///
  /// If this returns false, the caller still holds the drain and must do that work.
  @inlinable
  public borrowing func tryLeave(_ note: Note) -> Bool {
    state.compareExchange(
      expected: Note.running.rawValue, desired: note.rawValue,
      successOrdering: .releasing, failureOrdering: .acquiring
    ).exchanged
  }

  /// Does the work that was left, in turns, until none is and the drain is free; the caller holds the drain.
  ///
  /// The notes are cleared before each turn, and passed to it.
  @inlinable
  @inline(__always)
  public borrowing func run(_ turn: (Note) -> Turn) {
    while true {
      switch turn(clear([.queued, .attention, .blocked])) {
      case .done(let note): if tryLeave(note) { return }
      case .more: continue
      case .handedOver: return
      }
    }
  }

  /// Takes the drain if no thread holds it and no work waits, even if a queue is not clear.
  ///
  /// The caller then leaves by `run(_:)`, unless `tryLeave()` succeeds.
  public borrowing func tryEnterUnblocked() -> Bool {
    if tryEnter() { return true }
    return state.compareExchange(
      expected: Note.blocked.rawValue, desired: Note([.blocked, .running]).rawValue,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Notes that a queue is not clear, without work for the holder.
  @inlinable
  public borrowing func block() {
    state.bitwiseOr(Note.blocked.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Lets the drain go although work waits: the next thread that leaves some becomes the holder, or one that calls
  /// `tryResume()`.
  ///
  /// Until then nobody can enter the drain past that work.
  @inlinable
  public borrowing func abandon() {
    _ = state.bitwiseOr(Note.queued.rawValue, ordering: .relaxed)
    _ = state.bitwiseAnd(~Note.running.rawValue, ordering: .releasing)
  }

  /// Takes the drain if it was abandoned and nobody has taken it since.
  @inlinable
  public borrowing func tryResume() -> Bool {
    var known = state.load(ordering: .relaxed)
    while known != 0, known & Note.running.rawValue == 0 {
      let attempt = state.compareExchange(
        expected: known, desired: known | Note.running.rawValue,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if attempt.exchanged { return true }
      known = attempt.original
    }
    return false
  }

  /// Sets a note for work that was left, and returns whether the caller has become the holder.
  @inlinable
  public borrowing func announce(_ note: Note) -> Bool {
    let previous = state.bitwiseOr(
      note.union(.running).rawValue, ordering: .acquiringAndReleasing
    ).oldValue
    return previous & Note.running.rawValue == 0
  }

  /// Whether work of this kind waits.
  ///
  /// One relaxed load: cheap enough between two values.
  @inlinable
  public borrowing func has(_ note: Note) -> Bool {
    state.load(ordering: .relaxed) & note.rawValue != 0
  }

  /// Orders the holder's earlier writes with a note that another thread sets: either the holder sees the
  /// note from here on, or that thread sees the writes.
  ///
  /// Returns the notes that are set.
  @inlinable
  public borrowing func meetNotes() -> Note {
    let old = state.bitwiseOr(Note.running.rawValue, ordering: .acquiringAndReleasing).oldValue
    return Note(rawValue: old)
  }

  /// Clears notes before their work begins; returns those that were set.
  @inlinable
  @discardableResult
  public borrowing func clear(_ note: Note) -> Note {
    let old = state.bitwiseAnd(~note.rawValue, ordering: .acquiringAndReleasing).oldValue
    return Note(rawValue: old).intersection(note)
  }

  /// Clears notes before their work begins, if one of them appears set; a read that often avoids a write.
  ///
  /// A note that is set later, or not seen yet, stays set: the holder can't leave before it clears the note.
  @inlinable
  public borrowing func clearIfSet(_ note: Note) {
    if has(note) { clear(note) }
  }
}
