public import Fanout

extension DeliveryContract {
  /// Checks a subject of your own.
  ///
  /// Programs send, end, subscribe, ask and cancel, from outside and inside of every call of a
  /// subscriber; compared are what each subscriber gets, how it is called, who is retained, and
  /// what is still alive at the end.
  ///
  /// - Parameters:
  ///   - programs: How many random programs are run.
  ///   - rounds: How many crowds of threads, two to nine each, are let loose on it.
  ///   - seed: The seed of the first of them, which are the same in every run; if nil, that which the
  ///     environment variable `FANOUT_SEED` says, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - promise: What a late subscriber gets, and what a slow one loses.
  ///   - failure: A failure to end with; if nil, the subject is only finished.
  ///   - value: Makes the value of a number, a new one each time. If values are objects, they are
  ///     watched: all of them must be gone at the end.
  ///   - number: The number of a value.
  ///   - makeSubject: Makes a subject for one program.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// Programs run on a thread of their own and so do crowds, and it waits for them; a program that
  /// hangs is told of after 20 to 40 seconds. A thousand programs or a hundred crowds take a few
  /// tenths of a second in a debug build. In a build with `FANOUT_EXPLORER` defined, a few threads
  /// are also run in every order with at most two switches too many.
  @preconcurrency
  public static func check<S: Subject>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    promising promise: Promise, failingWith failure: S.Failure? = nil,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    _ makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    let trial = Trial<S.Output, S.Failure>(
      promise: promise, form: .subject, holdsExactly: false, failure: failure, value: value,
      number: number, makeWiring: { _ in Wiring(subject: makeSubject()) },
      call: .of(promise, failure, S.self))
    try checkPrograms(trial, count: programs, seed: seed, only: program)
    guard program == nil else { return }
    try checkThreads(
      "\(S.self)", rounds: rounds, seed: seed, promising: promise, value: value,
      number: number,
      makeSubject)
  }

  /// Checks a subject of your own whose values are numbers.
  ///
  /// - Parameters:
  ///   - programs: How many random programs are run.
  ///   - rounds: How many crowds of threads, two to nine each, are let loose on it.
  ///   - seed: The seed of the first of them, which are the same in every run; if nil, that which the
  ///     environment variable `FANOUT_SEED` says, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - promise: What a late subscriber gets, and what a slow one loses.
  ///   - failure: A failure to end with; if nil, the subject is only finished.
  ///   - makeSubject: Makes a subject for one program.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutTestSupport
  ///
  /// try DeliveryContract.check(programs: 100, promising: .nothing) {
  ///   PassthroughSubject<Int, Never>()
  /// }
  /// print("holds")
  /// // Prints:
  /// // holds
  /// ```
  @preconcurrency
  public static func check<S: Subject>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    promising promise: Promise, failingWith failure: S.Failure? = nil,
    _ makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) where S.Output == Int {
    try check(
      programs: programs, rounds: rounds, seed: seed, only: program, promising: promise,
      failingWith: failure,
      value: { $0 }, number: { $0 }, makeSubject)
  }
}
