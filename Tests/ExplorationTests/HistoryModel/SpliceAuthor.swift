#if FANOUT_EXPLORER
  import FanoutTestSupport

  /// A writer of random programs.
  struct SpliceAuthor {
    private var chance: SeededChance
    private var newest = 0
    private var loops = 0
    /// Whether loops come with ids of another stream, which lie behind all that is ever stored.
    private var hasForeignIDs = false

    /// Creates a writer whose program depends on a seed alone.
    init(seed: UInt64) { chance = SeededChance(seed: seed) }

    mutating func write() -> SpliceProgram {
      var program = SpliceProgram(
        SpliceProgram.Replay.allCases.randomElement(using: &chance) ?? .none,
        isFresh: isOneIn(2), givesMore: isOneIn(4), [])
      hasForeignIDs = isOneIn(2)
      if isOneIn(2) {
        for fault in SpliceProgram.Fault.allCases where isOneIn(2) { program.faults.insert(fault) }
      }
      let most = isOneIn(3) ? 1 : Int.random(in: 2...5, using: &chance)
      // The window of a read is reached in a few programs only.
      let burst = isOneIn(30) ? 400 : 1
      for _ in 0..<Int.random(in: 5...60, using: &chance) {
        program.steps.append(step(program, most, burst))
        if isOneIn(3) { program.steps.append(isOneIn(2) ? .settle : .run(number(1...4))) }
      }
      return program
    }

    private mutating func isOneIn(_ count: Int) -> Bool { number(0...count - 1) == 0 }

    private mutating func number(_ range: ClosedRange<Int>) -> Int {
      Int.random(in: range, using: &chance)
    }

    private mutating func nextID() -> Int {
      newest += number(1...2)
      return newest
    }

    private mutating func step(
      _ program: SpliceProgram, _ most: Int, _ burst: Int
    ) -> SpliceProgram.Step {
      switch number(0...32) {
      case 0...4 where loops < most: return join(program)
      case 5...6: return .store(nextID())
      case 7...8: return .send
      case 9 where program.faults.contains(.lacks): return .lose(nextID())
      case 10 where program.faults.contains(.trims): return .trim(number(0...newest))
      case 11...16 where loops > 0:
        return .take(number(0...loops - 1), isOneIn(6) ? 999 : number(1...4))
      case 17 where loops > 0 && isOneIn(2):
        return isOneIn(2) ? .cancel(number(0...loops - 1)) : .leave(number(0...loops - 1))
      case 18...22: return .give(number(0...2), isOneIn(4) ? 999 : number(1...3) * burst)
      case 23 where program.faults.contains(.fails): return .fail(number(0...2))
      case 24 where isOneIn(6): return .finish
      default:
        let first = nextID()
        newest += isOneIn(3) ? number(1...4) * burst : 0
        return .post(first...newest)
      }
    }

    private mutating func join(_ program: SpliceProgram) -> SpliceProgram.Step {
      loops += 1
      let after = isOneIn(6) ? nil : id()
      let treatments = SpliceProgram.Backlog.WhenFull.allCases.filter {
        $0 != .rejoin || program.replay != .all
      }
      guard !isOneIn(3), let treatment = treatments.randomElement(using: &chance) else {
        return .join(after, .unbounded)
      }
      return .join(after, .size(number(1...4), treatment))
    }

    /// Returns an id of a loop; sometimes one that is behind everything so far, or for ever.
    private mutating func id() -> Int {
      // Of a few ids, so that some loops have the same one.
      if hasForeignIDs, isOneIn(3) { return 1_000_000 + number(0...2) }
      return number(max(0, newest - 12)...newest + (isOneIn(5) ? 3 : 0))
    }
  }
#endif
