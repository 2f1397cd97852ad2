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

  /// The operator that delivers one of each eight values.
  @OperatorProgramList
  package static var debouncing: [OperatorProgram] {
    timed("debounce") { $0.debounce(for: 5, scheduler: $1) }
  }

  /// The other operators of time, on a clock that advances by ten after each eight values.
  @OperatorProgramList
  package static var timings: [OperatorProgram] {
    timed("throttle") { $0.throttle(for: 5, scheduler: $1, latest: true) }
    timed("delay") { $0.delay(for: 5, scheduler: $1) }
    timed("timeout") { $0.timeout(1000, scheduler: $1) }
    timed("measureInterval") { $0.measureInterval(using: $1).map { $0.magnitude } }
  }

  /// Operators whose subscription ends with the first value: subscribing is included.
  @OperatorProgramList
  package static var endings: [OperatorProgram] {
    anew("first") { $0.first() }
    anew("output(at: 0)") { $0.output(at: 0) }
  }
}
