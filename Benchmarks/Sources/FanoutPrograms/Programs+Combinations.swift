import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

extension Programs {
  /// Operators that combine several publishers.
  @OperatorProgramList
  package static var combinations: [OperatorProgram] {
    two("zip") { $0.zip($1) { $0 &+ $1 } }
    one("flatMap { Just($0) }") { $0.flatMap { Just($0) } }
    one("switchToLatest of Just") { $0.map { Just($0) }.switchToLatest() }
  }

  /// Those that wait for a value of another publisher.
  @OperatorProgramList
  package static var signals: [OperatorProgram] {
    beside("prefix(untilOutputFrom:)", begins: false) { $0.prefix(untilOutputFrom: $1) }
    beside("drop(untilOutputFrom:)", begins: true) { $0.drop(untilOutputFrom: $1) }
  }

  #if !OVER_OPENCOMBINE
    /// Operators that OpenCombine does not have.
    @OperatorProgramList
    package static var others: [OperatorProgram] {
      two("combineLatest") { $0.combineLatest($1) { $0 &+ $1 } }
      two("merge") { $0.merge(with: $1) }
    }
  #endif
}
