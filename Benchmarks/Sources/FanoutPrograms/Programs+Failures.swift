import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

extension Programs {
  /// Operators that are about failures, for values that come without one.
  @OperatorProgramList
  package static var failures: [OperatorProgram] {
    one("setFailureType") { $0.setFailureType(to: Mishap.self) }
    fallible("mapError") { $0.mapError { _ in Mishap() } }
    fallible("assertNoFailure") { $0.assertNoFailure() }
    fallible("replaceError") { $0.replaceError(with: 0) }
  }

  /// Operators that continue with another publisher, before or after the subject's values.
  @OperatorProgramList
  package static var resumptions: [OperatorProgram] {
    one("append") { $0.append(1, 2) }
    one("prepend") { $0.prepend(1, 2) }
    fallible("catch") { $0.catch { _ in Just(0) } }
    fallible("tryCatch") { $0.tryCatch { _ in Just(0).setFailureType(to: Mishap.self) } }
    fallible("retry") { $0.retry(1) }
  }
}
