public import Synchronization

/// The right to deliver, held by one thread at a time, with notes of the work that others left.
///
/// It is no lock: nobody waits for it. Who finds it idle takes it and delivers; who finds it taken
/// leaves work, sets the note and goes. The holder can only let go when no note is set, so work
/// that was left is always seen.
public struct Drain: ~Copyable, Sendable {
  /// What kind of work is waiting.
  @frozen
  public struct Note: OptionSet, Sendable {
    /// The bits of the note.
    public let rawValue: UInt

    /// Makes a note from bits.
    @inlinable
    public init(rawValue: UInt) { self.rawValue = rawValue }

    @inlinable static var running: Note { Note(rawValue: 1) }
    /// Something waits in the order in which it was accepted.
    @inlinable public static var queued: Note { Note(rawValue: 2) }
    /// A receiver asked for more or has gone, which acts before the next delivery.
    @inlinable public static var attention: Note { Note(rawValue: 4) }
    /// Whoever holds it only looks, and leaves all work to who brings it.
    @inlinable static var looking: Note { Note(rawValue: 8) }
  }

  @usableFromInline let state: AtomicValue<UInt>

  /// Makes a drain that is idle, or that the maker holds already.
  @inlinable
  public init(running: Bool = false) {
    state = AtomicValue(running ? Note.running.rawValue : 0)
  }

  /// Whether it seems idle, for who would rather not write where others do.
  @inlinable public var isIdle: Bool { state.load(ordering: .relaxed) == 0 }

  /// Whether somebody delivers who will see this note, for who guards the note with a lock.
  @inlinable
  public borrowing func isRunning(with note: Note) -> Bool {
    let wanted = note.union(.running)
    return state.load(ordering: .relaxed) & wanted.union(.looking).rawValue == wanted.rawValue
  }

  /// Takes the drain if it is idle and no work waits.
  @inlinable
  public borrowing func tryEnter() -> Bool {
    state.compareExchange(
      expected: 0, desired: Note.running.rawValue,
      successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Lets the drain go unless work waits; then the caller still holds it and must do that work.
  @inlinable
  public borrowing func tryLeave() -> Bool {
    state.compareExchange(
      expected: Note.running.rawValue, desired: 0,
      successOrdering: .releasing, failureOrdering: .acquiring
    ).exchanged
  }

  /// Notes work that has been left, and says whether the caller has thereby become the holder.
  @inlinable
  public borrowing func announce(_ note: Note) -> Bool {
    let previous = state.bitwiseOr(
      note.union(.running).rawValue, ordering: .acquiringAndReleasing
    ).oldValue
    if previous & Note.running.rawValue == 0 { return true }
    return previous & Note.looking.rawValue != 0 && becomeHolderAfterLook()
  }

  /// Takes the drain if it is idle, to look at what it guards and at nothing else.
  ///
  /// Who brings work meanwhile waits for the moment that a look takes, so that looking changes
  /// nothing: neither where a value is delivered, nor when a call returns.
  ///
  /// Not optimised: what `body` retains must be retained before others may release it again, and the
  /// optimiser moves a retain behind an atomic store.
  @_optimize(none)
  package borrowing func look(_ body: () -> Void) -> Bool {
    let looking = Note.running.union(.looking).rawValue
    let (isTaken, _) = state.compareExchange(
      expected: 0, desired: looking, successOrdering: .acquiring, failureOrdering: .relaxed)
    guard isTaken else { return false }
    body()
    _ = state.bitwiseAnd(~looking, ordering: .releasing)
    return true
  }

  @usableFromInline
  @inline(never)
  borrowing func becomeHolderAfterLook() -> Bool {
    while true {
      let known = state.load(ordering: .acquiring)
      if known & Note.looking.rawValue != 0 { continue }
      // Another one who waited does the work of both.
      if known & Note.running.rawValue != 0 { return false }
      let (isTaken, _) = state.compareExchange(
        expected: known, desired: known | Note.running.rawValue,
        successOrdering: .acquiring, failureOrdering: .relaxed)
      if isTaken { return true }
    }
  }

  /// Whether work of this kind waits.
  ///
  /// Cheap enough to be asked between two values.
  @inlinable
  public borrowing func has(_ note: Note) -> Bool {
    state.load(ordering: .relaxed) & note.rawValue != 0
  }

  /// Orders what the holder has written before this with a note that is set meanwhile: either the
  /// holder sees the note from here on, or who has set it sees what was written.
  @inlinable
  public borrowing func meetNotes() {
    _ = state.bitwiseOr(Note.running.rawValue, ordering: .acquiringAndReleasing)
  }

  /// Takes a note back before its work is taken up.
  @inlinable
  public borrowing func clear(_ note: Note) {
    _ = state.bitwiseAnd(~note.rawValue, ordering: .acquiringAndReleasing)
  }
}
