import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D5OrderOfSubscribersTests {
  @Test(arguments: SubjectKind.allCases)
  func `D5: a value reaches subscribers in the order in which they came, also after departures`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let log = Notes<Int>()
    var sinks: [Int: AnyCancellable] = [:]
    func attach(_ names: ClosedRange<Int>) {
      for name in names {
        sinks[name] = subject.sink(receiveCompletion: { _ in }) { _ in log.append(name) }
      }
    }
    func reached() -> [Int] {
      let before = log.count
      subject.send(1)
      return Array(log.all.dropFirst(before))
    }
    attach(1...60)
    #expect(reached() == Array(1...60))
    for name in 1...60 where name % 4 != 0 { sinks[name] = nil }
    #expect(reached() == Array(stride(from: 4, through: 60, by: 4)))
    attach(61...70)
    for name in [4, 64, 60] { sinks[name] = nil }
    #expect(reached() == sinks.keys.sorted())
    sinks = [:]
    #expect(reached() == [])
    attach(1...3)
    #expect(reached() == [1, 2, 3])
    sinks = [:]
  }

  @Test(arguments: SubjectKind.allCases)
  func `D5: also when subscribers leave and come in the middle of a value`(kind: SubjectKind) {
    let subject = kind.make()
    let log = Notes<Int>()
    let sinks = Shared<[Int: AnyCancellable]>([:])
    let attach: @Sendable (Int) -> Void = { name in
      let sink = subject.sink(receiveCompletion: { _ in }) { value in
        log.append(name)
        guard value == 1, name == 10 else { return }
        // All but every fifth leave while the value is being delivered.
        for other in 1...40 where other % 5 != 0 { sinks.change { $0[other] = nil } }
      }
      sinks.change { $0[name] = sink }
    }
    (1...40).forEach(attach)
    let before = log.count
    subject.send(1)
    attach(41)
    subject.send(2)
    let fifths = Array(stride(from: 5, through: 40, by: 5))
    let reached = Array(log.all.dropFirst(before))
    let replayed = kind.replay.isEmpty ? [] : [41]
    #expect(
      reached == Array(1...10) + fifths.filter { $0 > 10 } + replayed + fifths + [41])
    sinks.value = [:]
  }

  @Test func `D5: who had no demand gets the value when it asks`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let log = Notes<String>()
    let late = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      log.append("late \(value)")
      return .none
    }
    let eager = TestSubscriber<Int, Never> { _, value in
      log.append("eager \(value)")
      return .none
    }
    subject.subscribe(late)
    subject.subscribe(eager)
    subject.send(1)
    #expect(log.all == ["late 0", "eager 0", "eager 1"])
    late.request(.max(2))
    subject.send(2)
    #expect(log.all.suffix(3) == ["late 1", "late 2", "eager 2"])
    #expect(late.violations + eager.violations == [])
    late.cancel()
    eager.cancel()
  }
}
