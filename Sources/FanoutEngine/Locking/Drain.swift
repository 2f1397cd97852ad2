// Relaxed loads: invariant: `isIdle` and `has(_:)` are hints. A thread that acts on them takes the
// drain or clears the note by an acquiring operation, or takes the lock of the inbox, before it
// reads what others have written. `isRunning(with:)` and `isNoted(_:)` are called under a lock that
// the holder takes after it has cleared that note, before it leaves the drain or in the action that
// it schedules. The loads of `enterScheduled()` and `tryEnterToRead()` are first guesses of a
// compare-exchange. The store of `tryEnterAlone()` needs no order: another thread that enters, or
// leaves work, does so under the lock that the caller holds.

public import Synchronization

/// The right to deliver, held by one thread at a time, with notes of the work that others left.
///
/// No thread waits for it: one that finds it idle takes it and delivers, one that finds it taken
/// leaves its work and a note. The holder can leave only while no note is set that it has not seen.
@frozen
public struct Drain: ~Copyable, Sendable {
  /// The kinds of work that wait, and what keeps a value from being delivered at once.
  @frozen
  public struct Note: OptionSet, Sendable {
    /// The bits of the note.
    public let rawValue: UInt

    /// Makes a note from bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    static var running: Note { Note(rawValue: 1) }
    /// Signals wait in the order in which the hub accepted them.
    public static var queued: Note { Note(rawValue: 2) }
    /// A receiver requested more or cancelled, which takes effect before the next delivery.
    public static var control: Note { Note(rawValue: 4) }
    /// The queue under the drain is not clear: something waits in it for demand, or it is closed.
    ///
    /// It needs no work, so it stays while the drain is idle, and keeps `tryEnter()` from entering:
    /// a thread that succeeds has nothing in front of it.
    public static var blocked: Note { Note(rawValue: 8) }
    /// An action is scheduled that will take the drain, and what it may deliver is kept for it.
    ///
    /// Only the holder sets the note, and only the action that begins clears it.
    public static var scheduled: Note { Note(rawValue: 16) }
  }

  /// The way in which a turn of work ends.
  @frozen
  public enum Turn: Sendable {
    /// Everything was done that can be done now.
    ///
    /// The notes stay while the drain is idle, in place of those in `past`, which the turn has left
    /// as they were.
    case done(_ notes: Note, past: Note = [])
    /// More is left to do.
    case more
    /// The holder is another thread from here on.
    case handedOver
  }

  @usableFromInline let state: AtomicValue<UInt>

  /// Creates a drain that is idle, or that the caller already holds.
  public init(running: Bool = false) {
    state = AtomicValue(running ? Note.running.rawValue : 0)
  }

  /// Whether the drain appears idle; a read that avoids a write to shared memory.
  public var isIdle: Bool { state.load(ordering: .relaxed) == 0 }

  /// Whether a thread delivers that will see this note; the caller guards the note with a lock.
  public borrowing func isRunning(with note: Note) -> Bool {
    let wanted = note.union(.running)
    return state.load(ordering: .relaxed) & wanted.rawValue == wanted.rawValue
  }

  /// Whether the note is set, and the holder or a scheduled action will see it; the caller guards
  /// the note with a lock.
  public borrowing func isNoted(_ note: Note) -> Bool {
    let known = Note(rawValue: state.load(ordering: .relaxed))
    return known.contains(note) && !known.isDisjoint(with: [.running, .scheduled])
  }

  /// Takes the drain if it is idle and no work waits.
  public borrowing func tryEnter() -> Bool {
    state.compareExchange(
      expected: 0, desired: Note.running.rawValue,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Takes the drain if it is idle and no work waits, by a load and a store.
  ///
  /// The caller holds a lock without which no thread enters the drain or sets a note while the
  /// drain is idle.
  public borrowing func tryEnterAlone() -> Bool {
    guard state.load(ordering: .acquiring) == 0 else { return false }
    state.store(Note.running.rawValue, ordering: .relaxed)
    return true
  }

  /// Leaves the drain unless work waits.
  ///
  /// If this returns false, the caller still holds the drain and must do that work.
  public borrowing func tryLeave() -> Bool {
    state.compareExchange(
      expected: Note.running.rawValue, desired: 0,
      successOrdering: .releasing, failureOrdering: .acquiring
    ).exchanged
  }

  /// Leaves the drain, as `tryLeave()` does, with the given notes in place of those in `past`.
  public borrowing func tryLeave(_ notes: Note, past: Note = []) -> Bool {
    state.compareExchange(
      expected: past.union(.running).rawValue, desired: notes.rawValue,
      successOrdering: .releasing, failureOrdering: .acquiring
    ).exchanged
  }

  /// Does the work that was left, in turns, until none is and the drain is free; the caller holds
  /// the drain.
  ///
  /// A turn is passed the notes that were set. All but `scheduled` are cleared before it.
  @inline(__always)
  public borrowing func run(_ turn: (Note) -> Turn) { run(after: takeNotes(), turn) }

  /// Does the work that was left, as `run(_:)` does, for a caller that has taken the notes.
  @inline(__always)
  public borrowing func run(after notes: Note, _ turn: (Note) -> Turn) {
    var notes = notes
    while true {
      switch turn(notes) {
      case .done(let kept, let past): if tryLeave(kept, past: past) { return }
      case .more: break
      case .handedOver: return
      }
      notes = takeNotes()
    }
  }

  /// Returns the notes that are set, and clears all but `scheduled`, before their work begins.
  public borrowing func takeNotes() -> Note {
    let taken: Note = [.queued, .control, .blocked]
    let old = state.bitwiseAnd(~taken.rawValue, ordering: .acquiringAndReleasing).oldValue
    return Note(rawValue: old).subtracting(.running)
  }

  /// Takes the drain, and the notes with it, for the scheduled action that begins.
  ///
  /// If a thread holds the drain, it leaves that thread a note, and returns nil.
  public borrowing func enterScheduled() -> Note? {
    var known = Note(rawValue: state.load(ordering: .relaxed))
    while true {
      let isHeld = known.contains(.running)
      let desired = isHeld ? known.subtracting(.scheduled).union(.queued) : .running
      let (isDone, found) = state.compareExchange(
        expected: known.rawValue, desired: desired.rawValue,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone { return isHeld ? nil : known.subtracting(.scheduled) }
      known = Note(rawValue: found)
    }
  }

  /// Takes the drain if no thread holds it and no work waits, whatever is kept under it.
  ///
  /// The caller then leaves by `run(_:)`, unless `tryLeave()` succeeds.
  public borrowing func tryEnterToRead() -> Bool {
    let known = Note(rawValue: state.load(ordering: .relaxed))
    // An action that is scheduled does the work that is noted.
    let idle: Note = known.contains(.scheduled) ? [.blocked, .scheduled, .queued] : .blocked
    return known.isSubset(of: idle)
      && state.compareExchange(
        expected: known.rawValue, desired: known.union(.running).rawValue,
        successOrdering: .acquiring, failureOrdering: .relaxed
      ).exchanged
  }

  /// Sets a note without becoming the holder; returns whether there is a holder or a scheduled
  /// action to see it.
  @discardableResult
  public borrowing func note(_ note: Note) -> Bool {
    let old = state.bitwiseOr(note.rawValue, ordering: .acquiringAndReleasing).oldValue
    return !Note(rawValue: old).isDisjoint(with: [.running, .scheduled])
  }

  /// Lets the drain go although work waits: the next thread that leaves some becomes the holder, or
  /// one that calls `tryResume()`.
  ///
  /// Until then no thread can enter the drain past that work.
  public borrowing func abandon() {
    _ = state.bitwiseOr(Note.queued.rawValue, ordering: .relaxed)
    _ = state.bitwiseAnd(~Note.running.rawValue, ordering: .releasing)
  }

  /// Takes the drain if it was abandoned and no thread has taken it since.
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
  public borrowing func announce(_ note: Note) -> Bool {
    let previous = state.bitwiseOr(
      note.union(.running).rawValue, ordering: .acquiringAndReleasing
    ).oldValue
    return previous & Note.running.rawValue == 0
  }

  /// Whether work of this kind waits, by one relaxed load: cheap enough between two values.
  public borrowing func has(_ note: Note) -> Bool {
    state.load(ordering: .relaxed) & note.rawValue != 0
  }

  /// Orders the holder's earlier writes with a note that another thread sets: either the holder
  /// sees the note from here on, or that thread sees the writes; returns the notes that are set.
  public borrowing func meetNotes() -> Note {
    let old = state.bitwiseOr(Note.running.rawValue, ordering: .acquiringAndReleasing).oldValue
    return Note(rawValue: old)
  }

  /// Clears notes before their work begins; returns those that were set.
  @discardableResult
  public borrowing func clear(_ note: Note) -> Note {
    let old = state.bitwiseAnd(~note.rawValue, ordering: .acquiringAndReleasing).oldValue
    return Note(rawValue: old).intersection(note)
  }

  /// Clears notes before their work begins, if one of them appears set; a read that often avoids a
  /// write.
  ///
  /// A note that is set later, or not seen yet, stays set: the holder can't leave before it clears
  /// the note.
  public borrowing func clearIfSet(_ note: Note) {
    if has(note) { clear(note) }
  }
}
