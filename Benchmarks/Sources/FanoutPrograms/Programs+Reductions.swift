import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

extension Programs {
  /// Operators that make one value of all.
  @OperatorProgramList
  package static var reductions: [OperatorProgram] {
    one("reduce") { $0.reduce(0) { $0 &+ $1 } }
    one("tryReduce") { $0.tryReduce(0) { $0 &+ (try checked($1)) } }
    one("count") { $0.count() }
    one("max") { $0.max() }
    one("max(by:)") { $0.max { $0 & 15 < $1 & 15 } }
    one("tryMax(by:)") { $0.tryMax { try checked($0) & 15 < $1 & 15 } }
    one("min") { $0.min() }
    one("min(by:)") { $0.min { $0 & 15 < $1 & 15 } }
    one("tryMin(by:)") { $0.tryMin { try checked($0) & 15 < $1 & 15 } }
    one("contains") { $0.contains(-1) }
    one("contains(where:)") { $0.contains { $0 < 0 } }
    one("tryContains(where:)") { $0.tryContains { try checked($0) < 0 } }
    one("allSatisfy") { $0.allSatisfy { $0 >= 0 } }
    one("tryAllSatisfy") { $0.tryAllSatisfy { try checked($0) >= 0 } }
    one("collect") { $0.collect() }
  }
}
