#if FANOUT_EXPLORER
  import Exploration
  import TestThreads
  import Testing

  /// A history behaves as the contract says, in random programs over stores, streams and loops.
  ///
  /// All tasks run on one thread, those of the reads too. So it needs the build in which the tasks of Fanout run where
  /// a test says so.
  @Suite(.serialized)
  struct HistoryModelTests {
    @Test func `H1 to H5: loops that join behind an id get what the model says`() {
      for seed in seeds(800) {
        var author = SpliceAuthor(seed: seed)
        let program = author.write()
        guard problem(of: program) != nil else { continue }
        let short = program.shortened { problem(of: $0) != nil }
        Issue.record(
          "FANOUT_SEED=\(seed), FANOUT_PROGRAMS=1: \(problem(of: short) ?? "")\n\(short)")
        return
      }
    }

    /// Programs in which a history once did something else.
    @Test(arguments: [
      // Another loop got what the store gave behind the range of its read, of which it need not give all.
      SpliceProgram(
        isFresh: true, givesMore: true,
        [
          .post(1...2), .join(0, .unbounded), .post(3...3), .take(0, 1), .settle, .post(4...6),
          .join(0, .unbounded), .take(1, 9), .settle, .give(0, 9),
        ]),
      // The read for 34 was made wider for what lies between 29 and 30, though another one had that.
      SpliceProgram(
        .sinceKeyframe,
        [
          .post(30...30), .join(21, .unbounded), .join(34, .unbounded), .join(29, .unbounded),
        ]),
      // A loss behind a gap of unknown number, which the store had forgotten too, was not told.
      SpliceProgram(
        .sinceKeyframe, faults: [.lacks, .trims],
        [
          .join(3, .size(1, .rejoin)), .take(0, 3), .settle, .give(2, 999), .settle,
          .post(24...28), .post(30...30), .run(4), .trim(25), .give(1, 999), .settle, .lose(38),
          .post(39...40),
        ]),
      // The store did not know the id of the second loop, and gave it everything later.
      SpliceProgram(
        .all, faults: [.knowsIDs],
        [
          .post(2...2), .join(nil, .unbounded), .take(0, 3), .join(13, .size(1, .dropOldest)),
          .take(1, 4), .settle, .post(19...20), .give(1, 1), .store(37), .settle,
        ]),
      // The read for 2 was taken for an answer to the loops whose ids the store does not know.
      SpliceProgram(
        faults: [.knowsIDs],
        [
          .post(1...5), .join(2, .unbounded), .join(900, .unbounded), .join(5, .unbounded),
          .join(901, .unbounded), .join(900, .unbounded), .take(0, 9), .take(1, 9), .take(2, 9),
          .take(3, 9), .take(4, 9), .settle, .give(0, 9), .settle, .post(6...9), .settle,
        ]),
      // What waited lay in front of the place at which the store resumed, and was taken for one that the loop had had.
      SpliceProgram(
        faults: [.knowsIDs, .resumes],
        [
          .post(1...3), .join(900, .unbounded), .take(0, 9), .store(4), .store(5), .settle, .send,
          .give(0, 9), .settle, .post(6...7), .settle,
        ]),
      // The store said only at the second read that it did not know the id, when the loop had caught up.
      SpliceProgram(
        faults: [.fails, .knowsIDs],
        [
          .join(900, .size(3, .dropNewest)), .post(20...24), .take(0, 999), .settle, .fail(0),
          .settle, .post(27...28), .give(0, 2), .settle, .post(61...61), .settle,
        ]),
      // The id came, and was trimmed, before the store answered for it: the loop keeps its id.
      SpliceProgram(
        faults: [.knowsIDs, .resumes, .trims],
        [
          .join(0, .unbounded), .join(13, .unbounded), .take(1, 4), .settle, .post(12...13),
          .trim(15),
        ]),
    ])
    func `H1 H2 H5: loops get what the model says`(program: SpliceProgram) {
      #expect(problem(of: program) == nil)
    }

    private func problem(of program: SpliceProgram) -> String? {
      Exploration.alone { SplicePlayer.problem(of: program) }
    }
  }
#endif
