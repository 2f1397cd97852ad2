import FanoutPrograms
import MeasureSupport
import OpenCombinePrograms
import OperatorPrograms
import Testing

/// The programs that are measured beside OpenCombine's do the same work.
///
/// They run one after the other, because they add to the same two counters.
@Suite(.serialized)
struct SameResultsTests {
  private typealias Ours = FanoutPrograms.Programs
  private typealias Theirs = OpenCombinePrograms.Programs

  private static let ours = [
    Ours.values, Ours.reductions, Ours.failures, Ours.resumptions, Ours.combinations, Ours.signals,
    Ours.queues, Ours.debouncing, Ours.timings, Ours.endings,
  ].flatMap { $0 }
  private static let theirs = [
    Theirs.values, Theirs.reductions, Theirs.failures, Theirs.resumptions, Theirs.combinations,
    Theirs.signals, Theirs.queues, Theirs.debouncing, Theirs.timings, Theirs.endings,
  ].flatMap { $0 }

  @Test func `both libraries have the same programs`() {
    #expect(Self.ours.map(\.title) == Self.theirs.map(\.title))
    #expect(Self.ours.isEmpty == false)
  }

  @Test(arguments: zip(ours.indices, theirs.indices))
  func `the values that the sinks receive add up to the same`(mine: Int, other: Int) {
    let (ours, theirs) = (Self.ours[mine], Self.theirs[other])
    #expect(sum(ours, at: Ours.place) == sum(theirs, at: Theirs.place), "\(ours.title)")
  }

  /// What a program's sink adds when it is sent a thousand values.
  private func sum(_ program: OperatorProgram, at place: Int64) -> Int64 {
    let run = program.ready(1000)
    let before = raw_counter_sum(place)
    run()
    return raw_counter_sum(place) - before
  }
}
