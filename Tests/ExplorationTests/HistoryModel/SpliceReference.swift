#if FANOUT_EXPLORER
  import Fanout

  /// What is stored and what was sent, and the reads of the store.
  struct SpliceWorld {
    /// In ascending order, as all ids.
    var stored: [Int] = []
    var unsent: [Int] = []
    var sent: [Int] = []
    /// Ids up to this one are forgotten.
    var forgotten = Int.min
    var hasFinished = false
    /// Whether reads give everything at once.
    var isOpen = false
    var reads: [PlayedRead] = []

    var openReads: [PlayedRead] { reads.filter { !$0.isOver && !$0.isCancelled } }

    /// H5: A read that another one could have served, if the store has no fault.
    func problem(beginning read: PlayedRead, _ program: SpliceProgram) -> String? {
      guard program.faults.isEmpty else { return nil }
      let other = openReads.first { other in
        guard let after = read.range.after else {
          return other.range.after == nil && other.given <= 256
        }
        guard let start = other.range.after, start <= after else { return false }
        return other.range.before.map { after < $0 } ?? true && other.given <= 256
      }
      return other.map { "H5: \(read.range) is read beside \($0.range)" }
    }
  }

  /// A loop that joins behind an id: what the contract says of each event, and of its absence.
  ///
  /// The contract leaves open when a loop takes the value that bounds a read, and so what a small backlog drops. So an
  /// event is not predicted: the reference says whether it may come here.
  struct ReferenceLoop {
    private let after: Int?
    private let backlog: SpliceProgram.Backlog
    private let program: SpliceProgram
    /// The number of ids that were sent before it joined.
    private let joined: Int
    private(set) var problems: [String] = []
    /// The place among the sent ids behind which nothing is settled.
    private var settled = 0
    /// The ids that it has had from the store before they were sent.
    private var ahead: Set<Int> = []
    /// The greatest id that it has had.
    private(set) var last: Int?
    private var hasHadValue = false
    private var hasCaughtUp = false
    private var hasHadLive = false
    /// Whether a store has not known its id.
    private var isUnknown = false
    /// The number of reads for other loops whose store did not know the same id, before it asked first.
    private var unknownBefore = 0
    /// The id behind which such a store has resumed.
    private var resumed: Int?
    /// The places of the reads that were over when it asked first.
    private var stale: Set<Int> = []
    /// The gaps that were told: the number, nil if it was unknown, and the newest id that was sent.
    private var told: [(count: Int?, newest: Int)] = []
    /// The number of gaps that were told with no number, and of those behind another one that no read has told.
    private var (unknownGaps, gapsAgain) = (0, 0)
    /// Whether one of the latter was told since the last live value.
    private var isToldAgain = false
    /// The ids that have not come since the last live value.
    private var lost: [Int] = []
    /// The number of values from the store since it asked.
    private var stored = 0
    /// The number of reads when it asked first, and what it had to ask for.
    private var firstTurn: (reads: Int, request: Request)?

    /// A request to the store that the contract determines.
    private enum Request: Equatable {
      case none
      case range(HistoryRange<Int>)
      /// It depends on what the backlog has dropped.
      case open
    }

    init(
      after: Int?, _ backlog: SpliceProgram.Backlog, _ program: SpliceProgram,
      joining world: SpliceWorld
    ) {
      self.after = after
      self.backlog = backlog
      self.program = program
      joined = world.sent.count
      last = after
      if let after { settled = world.sent.firstIndex { $0 > after } ?? world.sent.count }
    }

    /// Whether values can be dropped behind its back, so that it asks the store again.
    var canLag: Bool { backlog != .unbounded || program.replay.letsWait }

    private func isAbove(_ id: Int) -> Bool { isUnknown || after.map { id > $0 } ?? true }

    private func isOwed(_ id: Int) -> Bool { isAbove(id) && !ahead.contains(id) }

    /// Notes that the loop takes an event, or begins to wait.
    mutating func turns(in world: SpliceWorld) {
      guard firstTurn == nil else { return }
      firstTurn = (world.reads.count, request(in: world))
      unknownBefore = unknownReads(in: world).count
      stale = Set(world.reads.indices.filter { world.reads[$0].isOver })
    }

    private func unknownReads(in world: SpliceWorld) -> [PlayedRead] {
      world.reads.filter { $0.isOfUnknownID && $0.range.after == after }
    }

    /// Whether a store has said that it does not know its id, and not where it has values again.
    private var isLost: Bool { isUnknown && resumed == nil }

    /// Whether the stream or the store has shown its id, or the place of that, or was asked for it (H2).
    ///
    /// What another loop was given says nothing of an id behind all of that.
    private func isAnswered(in world: SpliceWorld) -> Bool {
      guard let after, world.sent.last ?? .min < after else { return true }
      return world.reads.indices.contains { index in
        let (start, last) = (world.reads[index].range.after, world.reads[index].last)
        return !stale.contains(index) && (start == after || start ?? .min < after && last >= after)
      }
    }

    /// Whether it may begin a read beside others, because one that is over has not reached its id (H5).
    func mayAskItself(for range: HistoryRange<Int>, in world: SpliceWorld) -> Bool {
      guard let after, !hasHadValue, range.after == after else { return false }
      return world.reads.contains {
        $0.isOver && $0.range.after ?? .min < after && ($0.last < after || program.givesMore)
      }
    }

    /// What a loop asks for at its first turn (H1).
    private func request(in world: SpliceWorld) -> Request {
      if program.replay.letsWait { return .open }
      let replayed = program.replay.remembered(of: world.sent.prefix(joined))
      let late = Array(world.sent.dropFirst(joined))
      if let after {
        if replayed.contains(after) { return .none }
        if let first = replayed.first, let last = replayed.last, first < after, after < last {
          return .none
        }
      }
      if let first = replayed.first, isAbove(first) {
        // A new start replaces the replay.
        if case .size(let count, .rejoin) = backlog, late.count > count { return .open }
        return .range(HistoryRange(after: after, before: first))
      }
      if let first = late.first, !isAbove(first) { return .open }
      switch backlog {
      case .unbounded, .size(_, .dropNewest):
        return .range(HistoryRange(after: after, before: late.first))
      case .size(let count, .dropOldest):
        return .range(HistoryRange(after: after, before: late.suffix(count).first))
      // It requests its values one by one, so it does not look for what waits.
      case .size(_, .rejoin): return .open
      }
    }

    /// Compares an event with what is owed.
    mutating func follow(_ event: Delivery<Int>, in world: SpliceWorld) {
      switch event {
      case .caughtUp:
        if hasCaughtUp { problems.append("caught up twice") }
        hasCaughtUp = true
        if !isAnswered(in: world) { problems.append("H2: the store was not asked \(after ?? 0)") }
        // What is from before it joined comes in front, or is told.
        pass(to: joined, in: world)
        compare(in: world)
      case .missed(let count): miss(count, in: world)
      case .replayed(let id):
        if !world.isStored(id), !world.wasSent(id, before: joined) {
          problems.append("H1: \(id) is neither stored nor replayed")
        }
        if !canLag {
          let isLate = world.sent.dropFirst(joined).contains { isAbove($0) && $0 <= id }
          if isLate { problems.append("H1: \(id) was live already") }
          if hasCaughtUp { problems.append("H1: \(id) is from before, behind caughtUp") }
        }
        if isLost, hasCaughtUp, !hasHadValue {
          problems.append("H2: \(id) of a store that does not know its id")
        }
        stored += 1
        arrive(id, in: world)
      case .live(let id):
        if !hasCaughtUp { problems.append("H1: live \(id) in front of caughtUp") }
        if !world.wasSent(id, from: joined) { problems.append("H1: \(id) was not live") }
        arrive(id, in: world)
        compare(in: world)
        told.removeAll { $0.newest <= id }
        hasHadLive = true
      }
    }

    private mutating func miss(_ count: Int?, in world: SpliceWorld) {
      if count == nil {
        unknownGaps += 1
        let unknown = unknownReads(in: world)
        if !hasHadValue, unknown.count > unknownBefore {
          // It gets all that is live, and what the store has behind the place that it names.
          isUnknown = true
          settled = min(settled, joined)
          resumed = unknown.last?.resumed
          if let resumed { settled = min(settled, world.sent.firstPlace { $0 > resumed }) }
        }
        let failed = world.reads.count(where: \.hasFailed)
        if unknownGaps - gapsAgain > failed {
          gapsAgain += 1
          isToldAgain = true
          // Behind such a gap nobody knows what the store has given back.
          if !canLag || !told.contains(where: { $0.count == nil }) {
            problems.append("H2: \(unknownGaps) gaps for \(failed) failed reads")
          }
        }
        if hasHadLive, !program.faults.contains(.trims), !program.faults.contains(.knowsIDs) {
          problems.append("H2: the number is known, and nil told")
        }
      }
      if program.faults.isEmpty { problems.append("H1: missed \(count.map { "\($0)" } ?? "some")") }
      if count ?? 1 <= 0 { problems.append("H2: missed \(count ?? 0)") }
      told.append((count, max(world.sent.last ?? .min, resumed ?? .min)))
    }

    private mutating func arrive(_ id: Int, in world: SpliceWorld) {
      let isBehind = last.map { id <= $0 } ?? false
      if isBehind, hasHadValue || !isUnknown { problems.append("H1: \(id) behind \(last ?? 0)") }
      let place = world.sent.firstPlace { $0 >= id }
      pass(to: place, in: world)
      if place < world.sent.count, world.sent[place] == id { settled = max(settled, place + 1) }
      if place == world.sent.count { ahead.insert(id) }
      (last, hasHadValue) = (id, true)
    }

    /// Settles what was sent up to a place: it has come, or is lost.
    private mutating func pass(to place: Int, in world: SpliceWorld) {
      guard settled < place else { return }
      let passed = world.sent[settled..<place].filter(isOwed)
      settled = place
      for id in passed where !isExcused(id, in: world) { problems.append("H1: \(id) is lost") }
      lost += passed
    }

    /// Compares what was lost since the last live value with what was told.
    private mutating func compare(in world: SpliceWorld) {
      let lost = lost
      if isToldAgain, lost.isEmpty { problems.append("H2: nothing is lost, told again") }
      (self.lost, isToldAgain) = ([], false)
      // A number that is unknown holds for all that was sent before it was told. A known one does too, if a later read
      // may give what an earlier one could not.
      let isExact = !program.faults.contains(.fails)
      let counts = told.compactMap(\.count).reduce(0, +)
      let known = told.filter { $0.count == nil }.map(\.newest).max() ?? .min
      if isExact { told.removeAll { $0.count != nil } }
      // In front of the first live value nothing is known of what a store does not say.
      let canBeSilent = program.faults.contains(.lacks) && !hasHadLive
      let untold = lost.count { $0 > known && !(canBeSilent && !world.isStored($0)) }
      // What the store has given counts until it is known whether it was dropped.
      if counts < untold, counts + ahead.count(where: { !world.wasSent($0, from: 0) }) < untold {
        problems.append("H2: \(lost) are lost, told \(counts)")
      }
      if isExact, counts > lost.count { problems.append("H2: \(lost) are lost, told \(counts)") }
    }

    /// Whether the store may not have given an id.
    private func isExcused(_ id: Int, in world: SpliceWorld) -> Bool {
      // What the store says that it does not have is told. If it is sent later, it comes unless a greater one has come.
      if let resumed, id <= resumed, canLag || ahead.contains(where: { $0 > id }) { return true }
      // What waits is never dropped, whatever the store has forgotten.
      if !canLag, world.wasSent(id, from: joined) { return false }
      return isUnknown || !world.isStored(id) || id <= world.forgotten
        || world.reads.contains { $0.hasFailedPlainly && $0.range.after ?? .min < id }
    }

    /// Whether it has everything that was sent.
    func isComplete(in world: SpliceWorld) -> Bool {
      hasCaughtUp
        && (settled == world.sent.count || !world.sent[settled...].contains(where: isOwed))
    }

    /// What is wrong when it waits for an event and no task can go on.
    func problem(waitingIn world: SpliceWorld) -> String? {
      if program.replay.letsWait || isComplete(in: world) { return nil }
      // A gap in front of nothing is told too, and then nothing is missing.
      var rest = self
      rest.pass(to: world.sent.count, in: world)
      rest.compare(in: world)
      if hasCaughtUp, rest.problems.isEmpty { return nil }
      let last = isUnknown && !hasHadValue ? nil : last
      // A store that has forgotten something resumes behind that.
      let forgotten = unknownGaps > 0 ? max(world.forgotten, resumed ?? .min) : .min
      let place = max(last ?? .min, forgotten)
      let isServed = world.openReads.contains { read in
        read.range.after ?? .min <= place && read.last <= place
          && read.range.before.map { $0 > last ?? .min } ?? true
      }
      return isServed ? nil : "D18: it waits for nothing that goes on"
    }

    /// What is wrong if it is the only loop.
    func problem(aloneIn world: SpliceWorld, isWaiting: Bool) -> String? {
      guard let (count, request) = firstTurn else { return nil }
      let reads = world.reads.dropFirst(count)
      switch request {
      case .none where !canLag && !reads.isEmpty: return "H1: the replay has its place, and it asks"
      case .range(let range) where reads.isEmpty: return "H1: it does not ask for \(range)"
      case .range(let range):
        if let first = reads.first, first.range != range {
          return "H1: it asks for \(first.range) instead of \(range)"
        }
      default: break
      }
      if !canLag, program.faults.isEmpty, reads.count > 1 { return "H5: \(reads.count) reads" }
      if !canLag, isWaiting {
        let failed = reads.count(where: \.hasFailed)
        if failed != unknownGaps { return "H2: \(failed) reads have failed, \(unknownGaps) told" }
      }
      guard let read = reads.last, reads.count == 1, !program.givesMore else { return nil }
      return read.given - stored > 33 ? "H3: a read is \(read.given - stored) ahead" : nil
    }

    /// Notes its end.
    mutating func ends(in world: SpliceWorld) {
      if !world.hasFinished { problems.append("Q5: it ends too early") }
      pass(to: world.sent.count, in: world)
      compare(in: world)
      if !hasCaughtUp { problems.append("H1: it has never caught up") }
    }
  }

  extension SpliceWorld {
    fileprivate func isStored(_ id: Int) -> Bool {
      let place = stored.firstPlace { $0 >= id }
      return place < stored.count && stored[place] == id
    }

    fileprivate func wasSent(_ id: Int, before end: Int) -> Bool {
      let place = sent.firstPlace { $0 >= id }
      return place < end && sent[place] == id
    }

    fileprivate func wasSent(_ id: Int, from start: Int) -> Bool {
      let place = sent.firstPlace { $0 >= id }
      return place >= start && place < sent.count && sent[place] == id
    }
  }

  extension [Int] {
    /// The first place of an ascending array at which a condition is true; its end if there is none.
    fileprivate func firstPlace(where isTrue: (Int) -> Bool) -> Int {
      var (low, high) = (startIndex, endIndex)
      while low < high {
        let middle = (low + high) / 2
        if isTrue(self[middle]) { high = middle } else { low = middle + 1 }
      }
      return low
    }
  }
#endif
