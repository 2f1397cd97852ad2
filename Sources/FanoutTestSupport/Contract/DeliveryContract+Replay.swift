package import Fanout

extension DeliveryContract {
  /// Checks a policy of replay, on a multicast that is connected by hand and by itself, and compares
  /// also which values are alive after each step.
  package static func check<Value>(
    programs: Int, seed: UInt64? = nil, only program: Program? = nil, replay: Replay<Value>,
    promising promise: Promise, value: @escaping @Sendable (Int) -> Value,
    number: @escaping @Sendable (Value) -> Int
  ) throws(Violation) {
    let trial = Trial<Value, ModelFailure>(
      promise: promise, form: .multicast, holdsExactly: true, failure: ModelFailure(),
      value: value, number: number,
      makeWiring: { Wiring(whenAsked: $0) { $0.multicast(replay: replay) } },
      call: Call(["promising: \(promise)"], values: Value.self, Replay<Value>.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
  }

  /// Checks a subject, and compares also which values are alive after each step.
  package static func checkExactly<S: Subject>(
    programs: Int, seed: UInt64? = nil, only program: Program? = nil,
    promising promise: Promise, failingWith failure: S.Failure?,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    subject makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    let trial = Trial<S.Output, S.Failure>(
      promise: promise, form: .subject, holdsExactly: true, failure: failure, value: value,
      number: number, makeWiring: { _ in Wiring(subject: makeSubject()) },
      call: .of(promise, failure, S.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
  }

  /// Checks a multicast through a subject, and compares also which values are alive after each step.
  package static func checkExactly<S: Subject>(
    programs: Int, seed: UInt64? = nil, only program: Program? = nil,
    multicastThrough promise: Promise,
    failingWith failure: S.Failure?,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    subject makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    let trial = Trial<S.Output, S.Failure>(
      promise: promise, form: .multicastThroughSubject, holdsExactly: true, failure: failure,
      value: value, number: number,
      makeWiring: { Wiring(whenAsked: $0) { $0.multicast(makeSubject) } },
      call: .of(promise, failure, S.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
  }
}
