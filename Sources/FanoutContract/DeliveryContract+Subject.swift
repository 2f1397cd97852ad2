public import Fanout

extension DeliveryContract {
  /// Checks a subject of your own.
  ///
  /// Programs send, end, subscribe, request and cancel, from outside and inside every call of a
  /// subscriber. The check compares each subscriber's events and calls, the subscribers that are
  /// retained, and the objects still alive at the end.
  ///
  /// - Parameters:
  ///   - programs: The number of random programs to run.
  ///   - rounds: The number of crowds of two to nine threads each to run on the subject.
  ///   - seed: The seed of the first program or crowd. The same seed makes the same ones in every
  ///     run. If nil, the value of the environment variable `FANOUT_SEED`, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - promise: The values that a late subscriber receives and that a slow one loses.
  ///   - failure: A failure to end with; if nil, the subject only finishes.
  ///   - value: The closure that makes a new value of a number. If values are objects, all of them
  ///     must be gone at the end.
  ///   - number: The closure that returns the number of a value.
  ///   - makeSubject: The closure that makes a subject for one program.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// Programs and crowds run on threads of their own, and the check waits for them; it reports a
  /// program that hangs after 20 to 40 seconds. A thousand programs or a hundred crowds take a few
  /// tenths of a second in a debug build. On a platform without Dispatch, such as WASI, everything
  /// runs on the calling thread, and a program that hangs is not noticed.
  @preconcurrency
  public static func check<S: Subject>(
    programs: Int = 2000, rounds: Int = 100, seed: UInt64? = nil, only program: Program? = nil,
    promising promise: Promise, failingWith failure: S.Failure? = nil,
    value: @escaping @Sendable (Int) -> S.Output, number: @escaping @Sendable (S.Output) -> Int,
    _ makeSubject: @escaping @Sendable () -> S
  ) throws(Violation) {
    try checkPrograms(
      .subject(promise, failure, value: value, number: number, makeSubject), count: programs,
      seed: seed, only: program)
    guard program == nil else { return }
    try checkThreads(
      "\(S.self)", rounds: rounds, seed: seed, promising: promise, value: value,
      number: number,
      makeSubject)
  }

  /// Checks a subject of your own whose values are numbers.
  ///
  /// - Parameters:
  ///   - programs: The number of random programs to run.
  ///   - rounds: The number of crowds of two to nine threads each to run on the subject.
  ///   - seed: The seed of the first program or crowd. The same seed makes the same ones in every
  ///     run. If nil, the value of the environment variable `FANOUT_SEED`, or 1.
  ///   - program: A program to run alone, as a violation prints it.
  ///   - promise: The values that a late subscriber receives and that a slow one loses.
  ///   - failure: A failure to end with; if nil, the subject only finishes.
  ///   - makeSubject: The closure that makes a subject for one program.
  /// - Throws: A ``Violation`` with the shortest program that shows it.
  ///
  /// ```swift
  /// import Fanout
  /// import FanoutContract
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
