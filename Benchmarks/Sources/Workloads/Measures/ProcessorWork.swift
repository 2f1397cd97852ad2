import Synchronization

/// Small pieces of work whose times say what a processor is good at.
package enum ProcessorWork: CaseIterable, Sendable {
  /// A retain and a release of one object, one after the other.
  case retainAndRelease

  /// A locked instruction that follows another one.
  case locked

  /// A locked instruction, and then four plain steps.
  case lockedAmidSteps

  /// Four plain steps.
  case steps

  /// A step of a loop that calls what each sink calls, an addition to a number in memory.
  case step

  /// Does the work so many times.
  package func run(_ times: Int) -> Workload.Run {
    let object = opaque(Word())
    return Workload.Run(deliveries: times) {
      switch self {
      case .retainAndRelease: Self.retainAndRelease(object, times)
      case .locked: Self.lock(object, times)
      case .lockedAmidSteps: Self.lockAmidSteps(object, times)
      case .steps: for number in 0..<times { Self.fourSteps(number) }
      case .step: for number in 0..<times { Counter.add(number, .floor) }
      }
    }
  }

  private final class Word: Sendable {
    let value = Atomic(0)

    @inline(__always)
    func lock() { value.add(1, ordering: .acquiringAndReleasing) }
  }

  @inline(never)
  private static func retainAndRelease(_ object: Word, _ times: Int) {
    let reference = Unmanaged.passUnretained(object)
    for _ in 0..<times {
      retain(reference)
      release(reference)
    }
    withExtendedLifetime(object) {}
  }

  // Not inlined: the compiler removes a retain that it sees beside its release.
  @inline(never)
  private static func retain(_ reference: Unmanaged<Word>) { _ = reference.retain() }

  @inline(never)
  private static func release(_ reference: Unmanaged<Word>) { reference.release() }

  @inline(never)
  private static func lock(_ object: Word, _ times: Int) {
    for _ in 0..<times { object.lock() }
  }

  @inline(never)
  private static func lockAmidSteps(_ object: Word, _ times: Int) {
    for number in 0..<times {
      object.lock()
      fourSteps(number)
    }
  }

  @inline(__always)
  private static func fourSteps(_ number: Int) {
    Counter.add(number, .floor)
    Counter.add(number, .floor)
    Counter.add(number, .floor)
    Counter.add(number, .floor)
  }
}
