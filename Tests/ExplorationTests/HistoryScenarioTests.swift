#if FANOUT_EXPLORER
  import Exploration
  import Fanout
  import FanoutContract
  import FanoutTestSupport
  import TestFixtures
  import Testing

  @Suite(.serialized)
  struct HistoryScenarioTests {
    @Test(arguments: Policy.contiguous)
    func `H1 explored: a loop joins and reads the store while values are stored and sent`(
      policy: Policy
    ) {
      explore("splice: post;post;finish|join;run, \(policy)") {
        let archive = Archive(policy.replay(\.id))
        archive.post(1...2)
        let loops = Shared<[SplicedLoop]>([])
        return Scenario(threads: [
          {
            archive.post(3...4)
            archive.finish()
          },
          {
            let loop = archive.join(after: 1)
            loops.change { $0.append(loop) }
            loop.start(in: archive.tasks)
            archive.tasks.runner(4)()
          },
        ]) { archive.problem(loops.value) { $0.early = [2] } }
      }
    }

    @Test(arguments: [Policy.none, .last])
    func `H1 explored: a loop without an id gets everything that is stored and sent`(
      policy: Policy
    ) {
      explore("splice: post;finish|run, from the beginning, \(policy)") {
        let archive = Archive(policy.replay(\.id))
        archive.post(1...2)
        let loop = archive.join(after: nil)
        loop.start(in: archive.tasks)
        return Scenario(threads: [
          {
            archive.post(3...3)
            archive.finish()
          }, archive.tasks.runner(4),
        ]) {
          archive.problem([loop]) { $0.early = [1, 2] }
        }
      }
    }

    @Test(arguments: 0..<3)
    func `H1 H3 explored: a loop whose backlog drops goes back to the store`(_ index: Int) {
      let treatments: [Archive.Backlogs.WhenFull] = [.dropOldest, .dropNewest, .rejoin]
      explore("splice: post;post;post;finish|run, backlog \(index)") {
        let archive = Archive(.none)
        archive.post(1...1)
        let loop = archive.join(after: 0, backlog: .size(1, whenFull: treatments[index]))
        loop.start(in: archive.tasks)
        return Scenario(threads: [
          {
            archive.post(2...4)
            archive.finish()
          }, archive.tasks.runner(6),
        ]) {
          archive.problem([loop]) {
            $0.early = [1]
            $0.canLag = true
          }
        }
      }
    }

    @Test(arguments: [false, true])
    func `H2 explored: a read that fails is told in its place, beside values and the end`(
      _ isGap: Bool
    ) {
      explore("splice: post;post;finish|run, \(isGap ? "gap" : "failure")") {
        let archive = Archive(.none)
        archive.post(1...2)
        archive.failure = isGap ? HistoryGap<Int>() : NumberedError(1)
        archive.failsBehind = 1
        let loop = archive.join(after: 0)
        loop.start(in: archive.tasks)
        return Scenario(threads: [
          {
            archive.post(3...4)
            archive.finish()
          }, archive.tasks.runner(6),
        ]) {
          archive.problem([loop]) {
            $0.canMiss = true
          } also: {
            let isTold = loop.events.count { $0 == .missed(nil) } == 1
            let isRight = loop.events.starts(with: [.replayed(1), .missed(nil)]) && isTold
            return isRight ? nil : "not told once, behind 1: \(loop.events)"
          }
        }
      }
    }

    @Test func `H2 explored: what a laggard lost and the store has forgotten is counted`() {
      explore("splice: post;post;post;post;finish|run, forgotten") {
        let archive = Archive(.none)
        let loop = archive.join(after: 0, backlog: .size(1, whenFull: .dropOldest))
        loop.start(in: archive.tasks)
        archive.tasks.runAll()
        archive.post(1...1)
        archive.tasks.runAll()
        archive.forget(2...3)
        return Scenario(threads: [
          {
            archive.post(2...5)
            archive.finish()
          }, archive.tasks.runner(6),
        ]) {
          archive.problem([loop]) {
            $0.canLag = true
            $0.canMiss = true
          } also: {
            loop.events.contains(.missed(nil)) ? "a number is known: \(loop.events)" : nil
          }
        }
      }
    }

    @Test func `H1 D7 explored: a cancel of the loop against the read, a value and the end`() {
      explore("splice: post;finish|run|cancel") {
        let archive = Archive(.none)
        archive.post(1...2)
        let loop = archive.join(after: 0)
        loop.start(in: archive.tasks)
        return Scenario(threads: [
          {
            archive.post(3...3)
            archive.finish()
          }, archive.tasks.runner(6), { loop.cancel(in: archive.tasks) },
        ]) {
          archive.problem([loop]) {
            $0.early = [1, 2]
          }
        }
      }
    }

    @Test func `H1 D7 explored: a cancel of a loop that waits for a live value`() {
      explore("splice: post;run|cancel, the store is read") {
        let archive = Archive(.none)
        archive.post(1...1)
        let loop = archive.join(after: 0)
        loop.start(in: archive.tasks)
        archive.tasks.runAll()
        return Scenario(threads: [
          {
            archive.post(2...3)
            archive.tasks.runner(3)()
          }, { loop.cancel(in: archive.tasks) },
        ]) {
          archive.problem([loop]) {
            $0.early = [1]
          }
        }
      }
    }

    @Test func `H4 explored: a store that does not answer holds back no sender and no other loop`()
    {
      explore("splice: post;post|run, the store waits") {
        let archive = Archive(.none)
        archive.post(1...1)
        archive.hold()
        let (late, other) = (archive.join(after: 0), archive.joinLive(after: 1))
        for loop in [late, other] { loop.start(in: archive.tasks) }
        return Scenario(threads: [
          { archive.post(2...3) }, archive.tasks.runner(6),
        ]) {
          archive.tasks.runAll()
          let isAlone = other.events == [.caughtUp, .live(2), .live(3)] && late.events.isEmpty
          let found = "without the store \(other.events) and \(late.events)"
          return archive.problem([late, other]) { _ in
          } also: {
            isAlone ? nil : found
          }
        }
      }
    }
  }

  /// Loops that share reads.
  @Suite(.serialized)
  struct SharedReadScenarioTests {
    @Test func `H1 H5 explored: a second loop joins beside the read of the first, and a sender`() {
      explore("reads: post;run|join;run") {
        let archive = Archive(.none)
        archive.post(1...2)
        let first = archive.join(after: 0)
        let loops = Shared([first])
        first.start(in: archive.tasks)
        return Scenario(threads: [
          {
            archive.post(3...3)
            archive.tasks.runner(4)()
          },
          {
            let second = archive.join(after: 1)
            loops.change { $0.append(second) }
            second.start(in: archive.tasks)
            archive.tasks.runner(2)()
          },
        ]) {
          archive.problem(loops.value) {
            $0.early = [1, 2]
          } also: {
            // The second reads anew at most once: what the first read need not have had.
            archive.readCount <= 2 ? nil : "\(archive.readCount) reads"
          }
        }
      }
    }

    @Test func `H2 H5 explored: a loop with an id that the store does not know beside a read`() {
      explore("reads: run|join;run;post, an unknown id") {
        let archive = Archive(.none)
        archive.knowsIDs = true
        archive.post(1...2)
        let known = archive.join(after: 1)
        let loops = Shared([known])
        known.start(in: archive.tasks)
        return Scenario(threads: [
          archive.tasks.runner(4),
          {
            let foreign = archive.join(after: 900)
            loops.change { $0.append(foreign) }
            foreign.start(in: archive.tasks)
            archive.tasks.runner(2)()
            archive.post(3...3)
          },
        ]) {
          archive.problem(loops.value) {
            // The store has told it, so its own id no longer counts.
            if $0.after == 900 { ($0.after, $0.canMiss) = (nil, true) }
          } also: {
            let events = loops.value[1].events
            return events == [.missed(nil), .caughtUp, .live(3)] ? nil : "it gets \(events)"
          }
        }
      }
    }

    @Test func `H5 explored: loops that ask together have one read, and one leaves it`() {
      explore("reads: go on;run|cancel") {
        let archive = Archive(.none)
        archive.post(1...3)
        archive.hold()
        let (leaving, staying) = (archive.join(after: 0), archive.join(after: 0))
        for loop in [leaving, staying] { loop.start(in: archive.tasks) }
        archive.tasks.runAll()
        return Scenario(threads: [
          {
            archive.letGo()
            archive.tasks.runner(5)()
          }, { leaving.cancel(in: archive.tasks) },
        ]) {
          archive.problem([leaving, staying]) {
            $0.early = [1, 2, 3]
          } also: {
            archive.readCount == 1 && archive.cancelCount == 0
              ? nil : "\(archive.readCount) reads, \(archive.cancelCount) cancelled"
          }
        }
      }
    }

    @Test func `H5 explored: the last loop that leaves cancels the read`() {
      explore("reads: run|cancel|cancel, the store waits") {
        let archive = Archive(.none)
        archive.post(1...2)
        archive.hold()
        let (one, two) = (archive.join(after: 0), archive.join(after: 0))
        for loop in [one, two] { loop.start(in: archive.tasks) }
        return Scenario(threads: [
          archive.tasks.runner(4), { one.cancel(in: archive.tasks) },
          { two.cancel(in: archive.tasks) },
        ]) {
          archive.tasks.runAll()
          return archive.problem([one, two]) {
            $0.early = [1, 2]
          } also: {
            archive.readCount == archive.cancelCount ? nil : "a read goes on"
          }
        }
      }
    }

    @Test func `H5 D7 explored: everything is released beside a read and the cancels of its loops`()
    {
      explore("reads: close;run|cancel|cancel") {
        let archive = Archive(.none)
        archive.post(1...2)
        let (one, two) = (archive.join(after: 0), archive.join(after: 1))
        for loop in [one, two] { loop.start(in: archive.tasks) }
        return Scenario(threads: [
          {
            archive.close()
            archive.tasks.runner(4)()
          }, { one.cancel(in: archive.tasks) }, { two.cancel(in: archive.tasks) },
        ]) {
          archive.problem([one, two]) {
            $0.early = [1, 2]
          }
        }
      }
    }

    @Test func `H2 H5 explored: a shared read that fails is told to those that began it`() {
      explore("reads: run|run, failure") {
        let archive = Archive(.none)
        archive.post(1...3)
        archive.failure = NumberedError(1)
        archive.failsBehind = 1
        archive.failures = 1
        let (first, second) = (archive.join(after: 0), archive.join(after: 1))
        for loop in [first, second] { loop.start(in: archive.tasks) }
        return Scenario(threads: [
          archive.tasks.runner(4), archive.tasks.runner(2),
        ]) {
          archive.problem([first, second]) {
            $0.canMiss = true
          } also: {
            let told = [first, second].map { $0.events.count { $0 == .missed(nil) } }
            return told[0] + told[1] == 1 ? nil : "told \(told) times"
          }
        }
      }
    }
  }
#endif
