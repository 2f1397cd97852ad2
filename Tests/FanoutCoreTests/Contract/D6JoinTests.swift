import FanoutCore
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

struct D6JoinTests {
  /// Returns the newcomer that joins inside `receive(1)`, before or after 2 is sent there.
  private func seen(_ kind: SubjectKind, joinsFirst: Bool) -> TestSubscriber<Int, Broken> {
    let subject = kind.make()
    let newcomer = TestSubscriber<Int, Broken>()
    let host = TestSubscriber<Int, Broken> { _, value in
      guard value == 1 else { return .none }
      if joinsFirst { subject.subscribe(newcomer) }
      subject.send(2)
      if !joinsFirst { subject.subscribe(newcomer) }
      return .none
    }
    subject.subscribe(host)
    subject.send(1)
    subject.send(3)
    subject.send(completion: .finished)
    #expect(host.values == kind.replay + [1, 2, 3])
    return newcomer
  }

  @Test func `D6: who joins inside receive gets what is accepted later, and nothing earlier`() {
    let before = seen(.passthrough, joinsFirst: true)
    #expect(before.values == [2, 3])
    let behind = seen(.passthrough, joinsFirst: false)
    #expect(behind.values == [3])
    #expect(before.violations + behind.violations == [])
  }

  @Test func `D6: its replay is what was newest among the accepted, delivered or not`() {
    let before = seen(.currentValue, joinsFirst: true)
    #expect(before.values == [1, 2, 3])
    let behind = seen(.currentValue, joinsFirst: false)
    #expect(behind.values == [2, 3])
    #expect(before.violations + behind.violations == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `D6: who joins from another thread in mid-send is told at once and served exactly`(
    kind: SubjectKind
  ) {
    let subject = kind.make()
    let held = HeldSubscriber(at: 1)
    let host = held.subscriber
    subject.subscribe(host)
    let sender = TestThread { subject.send(1) }
    #expect(held.stands())
    subject.send(2)
    let newcomer = TestSubscriber<Int, Broken>()
    subject.subscribe(newcomer)
    #expect(newcomer.events == [.subscription])
    subject.send(3)
    #expect(newcomer.events == [.subscription])
    held.letGo()
    #expect(sender.join())
    subject.send(4)
    #expect(newcomer.values == (kind == .currentValue ? [2, 3, 4] : [3, 4]))
    subject.send(completion: .finished)
    #expect(newcomer.violations == [])
  }

  @Test(arguments: SubjectKind.allCases, [Subscribers.Demand.unlimited, .max(3)])
  func `D6: what is sent while it is told, having asked, is owed to it value by value`(
    kind: SubjectKind, demand: Subscribers.Demand
  ) {
    let subject = kind.make()
    let subscriber = TestSubscriber<Int, Broken>(
      initialDemand: demand,
      whenSubscribed: { _ in (1...2).forEach(subject.send) })
    subject.subscribe(subscriber)
    #expect(subscriber.values == kind.replay + [1, 2])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D6: so is what another thread sends while it is told`(kind: SubjectKind) {
    let subject = kind.make()
    let asked = Gate()
    let sent = Gate()
    let subscriber = TestSubscriber<Int, Broken>(
      whenSubscribed: { _ in
        asked.open()
        sent.wait()
      })
    let joiner = TestThread { subject.subscribe(subscriber) }
    #expect(asked.wait())
    (1...3).forEach(subject.send)
    #expect(subscriber.values == [])
    sent.open()
    #expect(joiner.join())
    subject.send(4)
    #expect(subscriber.values == kind.replay + [1, 2, 3, 4])
    #expect(subscriber.violations == [])
    subscriber.cancel()
  }

  @Test func `D6: what is sent while it is told, but not asked for, is dropped or replaced`() {
    let passthrough = PassthroughSubject<Int, Never>()
    let dropped = TestSubscriber<Int, Never>(
      initialDemand: .none,
      whenSubscribed: {
        passthrough.send(1)
        $0.request(.max(1))
        passthrough.send(2)
        passthrough.send(3)
      })
    passthrough.subscribe(dropped)
    #expect(dropped.values == [2])
    let current = CurrentValueSubject<Int, Never>(0)
    let replaced = TestSubscriber<Int, Never>(
      initialDemand: .none,
      whenSubscribed: {
        current.send(1)
        $0.request(.max(1))
      })
    current.subscribe(replaced)
    #expect(replaced.values == [1])
    #expect(dropped.violations + replaced.violations == [])
    dropped.cancel()
    replaced.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `D6: who joins inside the subscription of another is served too`(kind: SubjectKind) {
    let subject = kind.make()
    let inner = TestSubscriber<Int, Broken>()
    let outer = TestSubscriber<Int, Broken>(whenSubscribed: { _ in subject.subscribe(inner) })
    subject.subscribe(outer)
    subject.send(1)
    subject.send(completion: .finished)
    for subscriber in [inner, outer] {
      #expect(subscriber.values == kind.replay + [1])
      #expect(subscriber.completion == .finished)
      #expect(subscriber.violations == [])
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `D6: who joins inside the completion gets the completion`(kind: SubjectKind) {
    let subject = kind.make()
    let late = TestSubscriber<Int, Broken>()
    let early = TestSubscriber<Int, Broken>(whenCompleted: { _ in subject.subscribe(late) })
    subject.subscribe(early)
    subject.send(completion: .finished)
    #expect(late.events == [.subscription, .completion(.finished)])
    #expect(late.violations == [])
  }
}
