import OperatorPrograms

#if OVER_OPENCOMBINE
  import OpenCombine
#else
  import Fanout
#endif

extension Programs {
  /// Operators that pass values through a queue or a scheduler.
  @OperatorProgramList
  package static var queues: [OperatorProgram] {
    one("buffer") { $0.buffer(size: 16, prefetch: .byRequest, whenFull: .dropOldest) }
    one("receive(on: ImmediateScheduler)") { $0.receive(on: ImmediateScheduler.shared) }
    one("subscribe(on: ImmediateScheduler)") { $0.subscribe(on: ImmediateScheduler.shared) }
  }

  /// Operators whose subscription ends with the first value: subscribing is included.
  @OperatorProgramList
  package static var endings: [OperatorProgram] {
    anew("first") { $0.first() }
    anew("output(at: 0)") { $0.output(at: 0) }
  }
}
