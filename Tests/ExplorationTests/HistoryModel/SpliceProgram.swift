#if FANOUT_EXPLORER
  import Fanout
  import FanoutContract
  import TestFixtures

  /// A store, a stream and loops that join behind an id, step by step.
  ///
  /// A program is plain data, so that it can be played twice, shortened and printed.
  struct SpliceProgram: Hashable, Sendable {
    enum Replay: CaseIterable, Hashable, Sendable {
      case none, latest, lastThree, all, sinceKeyframe
      /// Since the last keyframe, at most four values, and not from the beginning.
      case sinceFirstKeyframeWithinFour

      /// Whether a newcomer may wait for a keyframe.
      var letsWait: Bool { self == .sinceFirstKeyframeWithinFour }

      static func isKeyframe(_ id: Int) -> Bool { id % 5 == 0 }

      /// The ids that a newcomer gets after these, if it does not wait.
      func remembered(of ids: some BidirectionalCollection<Int>) -> [Int] {
        switch self {
        case .none: []
        case .latest: ids.suffix(1)
        case .lastThree: ids.suffix(3)
        case .all: Array(ids)
        case .sinceKeyframe, .sinceFirstKeyframeWithinFour:
          Array(ids[(ids.lastIndex(where: Self.isKeyframe) ?? ids.startIndex)...])
        }
      }

      var fanoutReplay: Fanout.Replay<StoredRow> {
        switch self {
        case .none: .none
        case .latest: .latest
        case .lastThree: .last(3)
        case .all: .all
        case .sinceKeyframe: .sinceKeyframe { Self.isKeyframe($0.id) }
        case .sinceFirstKeyframeWithinFour:
          .sinceKeyframe(limit: .count(4), fromBeginning: false) { Self.isKeyframe($0.id) }
        }
      }
    }

    enum Backlog: Hashable, Sendable {
      enum WhenFull: CaseIterable, Hashable, Sendable {
        case dropOldest, dropNewest, rejoin
      }

      case unbounded
      case size(Int, WhenFull)

      var fanoutBacklog: Archive.Backlogs? {
        switch self {
        case .unbounded: nil
        case .size(let count, .dropOldest): .size(count, whenFull: .dropOldest)
        case .size(let count, .dropNewest): .size(count, whenFull: .dropNewest)
        case .size(let count, .rejoin): .size(count, whenFull: .rejoin)
        }
      }
    }

    /// A way in which a store is not perfect.
    enum Fault: CaseIterable, Hashable, Sendable {
      /// Its reads can fail.
      case fails
      /// It is trimmed, and says so.
      case trims
      /// It can lack a value, and says nothing.
      case lacks
      /// It says if it does not know an id.
      case knowsIDs
      /// It says where it has values again, if it does not know an id.
      case resumes
    }

    enum Step: Hashable, Sendable {
      /// Ids are stored and sent.
      case post(ClosedRange<Int>)
      /// An id is stored, and sent by a later step.
      case store(Int)
      /// An id is sent, and not stored.
      case lose(Int)
      /// The oldest id that was stored and not sent is sent.
      case send
      /// The store forgets what was sent, up to an id.
      case trim(Int)
      case join(Int?, Backlog)
      /// A loop may take a number of events more.
      case take(Int, Int)
      case cancel(Int)
      /// A loop leaves between two events, or is cancelled.
      case leave(Int)
      /// One of the reads that go on gives rows, and ends if there are fewer.
      case give(Int, Int)
      case fail(Int)
      /// Some jobs of the tasks run.
      case run(Int)
      /// All jobs run.
      case settle
      case finish
    }

    var replay: Replay
    var faults: Set<Fault>
    /// Whether a read gives also what is stored while it goes on.
    var isFresh: Bool
    /// Whether a read gives also what lies outside of its range.
    var givesMore: Bool
    var steps: [Step]

    init(
      _ replay: Replay = .none, faults: Set<Fault> = [], isFresh: Bool = false,
      givesMore: Bool = false, _ steps: [Step]
    ) {
      self.replay = replay
      self.faults = faults
      self.isFresh = isFresh
      self.givesMore = givesMore
      self.steps = steps
    }

    /// The shortest program found for which a condition is still true.
    func shortened(while isWanted: (SpliceProgram) -> Bool) -> SpliceProgram {
      shortest(self, by: [\.shorter, \.simpler].map(Self.choices), while: isWanted)
    }

    /// Makes a way to shorten a program of the property that has the choices.
    private static func choices(
      _ property: KeyPath<SpliceProgram, [SpliceProgram]>
    ) -> (SpliceProgram) -> (Int) -> SpliceProgram? {
      { program in
        let choices = program[keyPath: property]
        return { $0 < choices.count ? choices[$0] : nil }
      }
    }

    /// The programs without one of the steps, the last one first.
    private var shorter: [SpliceProgram] {
      steps.indices.reversed().map { index in
        var program = self
        program.steps.remove(at: index)
        return program
      }
    }

    /// The programs in which one thing is simpler.
    private var simpler: [SpliceProgram] {
      var choices: [SpliceProgram] = []
      func add(_ change: (inout SpliceProgram) -> Void) {
        var program = self
        change(&program)
        if program != self { choices.append(program) }
      }
      add { $0.isFresh = false }
      add { $0.givesMore = false }
      add { $0.replay = .none }
      for fault in faults { add { $0.faults.remove(fault) } }
      for (index, step) in steps.enumerated() {
        guard case .join(let id, .size) = step else { continue }
        add { $0.steps[index] = .join(id, .unbounded) }
      }
      return choices
    }
  }

  extension SpliceProgram: CustomStringConvertible {
    var description: String {
      """
      replay \(replay), faults \(faults.map { "\($0)" }.sorted()), isFresh \(isFresh), givesMore \(givesMore)
      \(steps.map { "  .\($0)" }.joined(separator: "\n"))
      """
    }
  }
#endif
