import FanoutEngine
import TestThreads
import Testing

/// A drain in an object, because an expectation cannot look at what cannot be copied.
private final class Held: Sendable {
  private let drain: Drain

  init(running: Bool = false) { drain = Drain(running: running) }

  func tryEnter() -> Bool { drain.tryEnter() }
  func tryLeave() -> Bool { drain.tryLeave() }
  func announce(_ note: Drain.Note) -> Bool { drain.announce(note) }
  func has(_ note: Drain.Note) -> Bool { drain.has(note) }
  func clear(_ note: Drain.Note) { drain.clear(note) }
  func tryEnterToRead() -> Bool { drain.tryEnterToRead() }
  @discardableResult func note(_ note: Drain.Note) -> Bool { drain.note(note) }
  func isNoted(_ note: Drain.Note) -> Bool { drain.isNoted(note) }
  func enterScheduled() -> Drain.Note? { drain.enterScheduled() }
  func tryLeave(_ note: Drain.Note) -> Bool { drain.tryLeave(note) }
  func run(_ turn: (Drain.Note) -> Drain.Turn) { drain.run(turn) }
}

/// Work under a drain, as a hub does it: counted without any protection of its own.
private final class Workshop: @unchecked Sendable {
  // Invariant: `done` is reached only by the holder of `drain`, so Thread Sanitizer sees it if two
  // threads hold it at once.
  let drain = Drain()
  let left = Shared(0)
  var done = 0

  func bring() {
    left.increment()
    guard drain.announce(.queued) else { return }
    drain.run { _ in
      done += left.change { count in
        defer { count = 0 }
        return count
      }
      return .done([])
    }
  }
}

struct DrainTests {
  @Test func `is taken by one at a time`() {
    let drain = Held()
    #expect(drain.tryEnter())
    #expect(!drain.tryEnter())
    #expect(drain.tryLeave())
    #expect(drain.tryEnter())
    #expect(drain.tryLeave())
  }

  @Test func `can be made held`() {
    let drain = Held(running: true)
    #expect(!drain.tryEnter())
    #expect(!drain.announce(.queued))
    drain.clear(.queued)
    #expect(drain.tryLeave())
  }

  @Test func `cannot be let go while work waits`() {
    let drain = Held()
    #expect(drain.tryEnter())
    #expect(!drain.announce(.queued))
    #expect(!drain.announce(.control))
    #expect(!drain.tryLeave())
    drain.clear(.queued)
    #expect(!drain.has(.queued))
    #expect(drain.has(.control))
    #expect(!drain.tryLeave())
    drain.clear(.control)
    #expect(drain.tryLeave())
  }

  @Test func `makes the announcer the holder if it was idle`() {
    let drain = Held()
    #expect(drain.announce(.queued))
    #expect(!drain.tryEnter())
    #expect(!drain.announce(.queued))
    drain.clear([.queued, .control])
    #expect(drain.tryLeave())
  }

  @Test func `cannot be entered while work waits`() {
    let drain = Held()
    #expect(drain.announce(.queued))
    #expect(!drain.tryLeave())
    #expect(!drain.tryEnter())
    drain.clear(.queued)
    #expect(drain.tryLeave())
  }

  @Test func `runs turns until no work waits, with the notes that were set`() {
    let drain = Held()
    #expect(drain.announce(.queued))
    var notes: [Drain.Note] = []
    drain.run { note in
      notes.append(note)
      if notes.count == 1 { #expect(!drain.announce(.control)) }
      return notes.count == 2 ? .more : .done([])
    }
    #expect(notes == [.queued, .control, []])
    #expect(drain.tryEnter())
  }

  @Test func `is still held by the one to which a turn has handed it over`() {
    let drain = Held(running: true)
    drain.run { _ in .handedOver }
    #expect(!drain.tryEnter())
    #expect(drain.tryLeave())
  }

  @Test func `left blocked, it is entered for work and to read`() {
    let drain = Held(running: true)
    drain.run { _ in .done(.blocked) }
    #expect(!drain.tryEnter())
    #expect(drain.tryEnterToRead())
    #expect(!drain.tryLeave())
    drain.run { note in
      #expect(note == .blocked)
      return .done(.blocked)
    }
    #expect(drain.announce(.queued))
    drain.run { _ in .done([]) }
    #expect(drain.tryEnter())
  }

  @Test func `a scheduled action takes it with the notes, unless a thread holds it`() {
    let drain = Held(running: true)
    drain.run { _ in .done(.scheduled) }
    #expect(!drain.tryEnter())
    #expect(!drain.isNoted(.queued))
    #expect(drain.note(.queued))
    #expect(drain.isNoted(.queued))
    #expect(drain.enterScheduled() == .queued)
    #expect(drain.tryLeave())

    #expect(drain.tryEnter())
    #expect(drain.tryLeave(.scheduled))
    #expect(drain.announce(.control))
    #expect(drain.enterScheduled() == nil)
    var notes: [Drain.Note] = []
    drain.run { note in
      notes.append(note)
      return .done([])
    }
    #expect(notes == [[.control, .queued]])
    #expect(drain.tryEnter())
  }

  @Test func `a turn leaves a scheduled action noted, and looks again if it begins meanwhile`() {
    let drain = Held(running: true)
    drain.run { _ in .done([.scheduled, .queued]) }
    #expect(drain.tryEnterToRead())
    #expect(!drain.tryLeave())
    var notes: [Drain.Note] = []
    drain.run { note in
      notes.append(note)
      if notes.count == 1 { #expect(drain.enterScheduled() == nil) }
      return .done(note.intersection(.scheduled), past: note.intersection(.scheduled))
    }
    #expect(notes == [[.scheduled, .queued], .queued])
    #expect(drain.tryEnter())
  }

  @Test func `a block during a turn leads to another turn`() {
    let drain = Held(running: true)
    var turns = 0
    drain.run { _ in
      turns += 1
      if turns == 1 { #expect(drain.note(.blocked)) }
      return .done(turns == 1 ? [] : .blocked)
    }
    #expect(turns == 2)
    #expect(!drain.tryEnter())
  }
}

struct DrainRaceTests {
  @Test func `loses no work and lets nobody in beside its holder`() {
    let workshop = Workshop()
    let bring: @Sendable () -> Void = { for _ in 0..<5000 { workshop.bring() } }
    #expect(race(bring, bring, bring, bring))
    #expect(workshop.done == 20000)
  }
}
