import Fanout
import FanoutContract
import FanoutTestSupport

struct Broken: Error {}

/// Keeps the last two even numbers.
struct LastEvens: ReplayCache {
  var contents: [Int] = []

  mutating func record(_ value: Int) {
    if value.isMultiple(of: 2) { contents = (contents + [value]).suffix(2) }
  }
}

/// The subjects and shares that programs are played on; an input's first byte chooses one.
private let subjects: [@Sendable (DeliveryContract.Program) throws -> Void] = [
  { try check(.nothing, $0) { PassthroughSubject() } },
  { try check(.currentValue(0), $0) { CurrentValueSubject(0) } },
  { try check(.nothing, $0) { ReplaySubject(.none) } },
  { try check(.latest, $0) { ReplaySubject(.latest) } },
  { try check(.all, $0) { ReplaySubject(.all) } },
  { try check(.last(2), $0) { ReplaySubject(.last(2)) } },
  {
    try check(.sinceKeyframe { $0 % 3 == 0 }, $0) {
      ReplaySubject(.sinceKeyframe { $0 % 3 == 0 })
    }
  },
  { try DeliveryContract.check(only: $0) { LastEvens() } },
  { try check(.none, promising: .nothing, $0) },
  { try check(.latest, promising: .latest, $0) },
  { try check(.all, promising: .all, $0) },
  { try check(.last(2), promising: .last(2), $0) },
  {
    try check(
      .sinceKeyframe { $0 % 3 == 0 }, promising: .sinceKeyframe { $0 % 3 == 0 }, $0)
  },
]

private func check<S: Subject>(
  _ promise: DeliveryContract.Promise, _ program: DeliveryContract.Program,
  _ makeSubject: @escaping @Sendable () -> S
) throws where S.Output == Int, S.Failure == Broken {
  try DeliveryContract.check(
    only: program, promising: promise, failingWith: Broken(), makeSubject)
}

private func check(
  _ replay: Replay<Int>, promising promise: DeliveryContract.Promise,
  _ program: DeliveryContract.Program
) throws {
  try DeliveryContract.check(
    only: program, replay: replay, promising: promise, value: { $0 }, number: { $0 })
}

/// Plays the program that bytes stand for, and throws if it breaks the contract.
package func play(_ bytes: [UInt8]) throws {
  var reader = ProgramReader(bytes)
  let kind = reader.number(below: subjects.count)
  try subjects[kind](reader.program())
}
