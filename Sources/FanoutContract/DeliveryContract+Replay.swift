public import Fanout

extension DeliveryContract {
  /// Checks a policy of replay on a multicast, connected by hand and by autoconnect.
  ///
  /// The check also compares which values are alive after each step.
  ///
  /// - Parameters:
  ///   - programs: The number of random programs to run.
  ///   - seed: The seed of the first program. The same seed makes the same programs in every run.
  ///     If nil, the value of the environment variable `FANOUT_SEED`, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - replay: The policy.
  ///   - promise: The policy's promise.
  ///   - value: The closure that makes a new value of a number.
  ///   - number: The closure that returns the number of a value.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  @preconcurrency
  public static func check<Value>(
    programs: Int = 2000, seed: UInt64? = nil, only program: Program? = nil, replay: Replay<Value>,
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

  /// Checks a subject, and also compares which values are alive after each step.
  package static func checkExactly<S: Subject>(
    programs: Int, seed: UInt64? = nil, only program: Program? = nil,
    promising promise: Promise, failingWith failure: S.Failure?,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    _ makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    let trial = Trial.subject(
      promise, failure, holdsExactly: true, value: value, number: number, makeSubject)
    try checkPrograms(trial, count: programs, seed: seed, only: program)
  }

  /// Checks a multicast through a subject, and also compares which values are alive after each
  /// step.
  package static func checkExactly<S: Subject>(
    programs: Int, seed: UInt64? = nil, only program: Program? = nil,
    multicastThrough promise: Promise,
    failingWith failure: S.Failure?,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    _ makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    let trial = Trial<S.Output, S.Failure>(
      promise: promise, form: .multicastThroughSubject, holdsExactly: true, failure: failure,
      value: value, number: number,
      makeWiring: { Wiring(whenAsked: $0) { $0.multicast(makeSubject) } },
      call: .of(promise, failure, S.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
  }
}
