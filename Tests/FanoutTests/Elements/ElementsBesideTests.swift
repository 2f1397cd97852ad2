import Dispatch
import Fanout
import TestFixtures
import TestThreads
import Testing

/// A subject with a subscriber that does not return from `receive` until the test releases it.
private final class BlockedSubject: Sendable {
  let subject: ReplaySubject<Int, Never>
  let entered = Gate()
  let letGo = Gate()
  private let thread = Shared<TestThread?>(nil)
  private let sink: AnyCancellable

  init(_ policy: Policy) {
    let (entered, letGo) = (entered, letGo)
    subject = ReplaySubject(policy.replay)
    sink = subject.sink { value in
      guard value == 1 else { return }
      entered.open()
      letGo.wait()
    }
  }

  /// Sends 1 on another thread, which is then held inside `receive`.
  func block() {
    let subject = self.subject
    let sending = TestThread { subject.send(1) }
    thread.change { $0 = sending }
    entered.wait()
  }

  func end() -> Bool {
    letGo.open()
    return thread.value?.join() ?? false
  }
}

struct ElementsBesideTests {
  @Test(.timeLimit(.minutes(30)), arguments: Policy.allCases)
  func `D11: a blocked subscriber does not hold up a loop`(_ policy: Policy) async {
    let scene = BlockedSubject(policy)
    var iterator = scene.subject.values.makeAsyncIterator()
    scene.block()
    for value in 2...50 { scene.subject.send(value) }
    for value in 1...50 { #expect(await iterator.next() == value) }
    scene.subject.send(completion: .finished)
    #expect(await iterator.next() == nil)
    let isOver = scene.end()
    #expect(isOver)
  }

  @Test(.timeLimit(.minutes(30)), arguments: [Policy.none, .latest, .all, .last])
  func `D11: a loop that begins beside a blocked subscriber gets its replay and goes on`(
    _ policy: Policy
  ) async {
    let scene = BlockedSubject(policy)
    scene.subject.send(0)
    scene.block()
    var first = scene.subject.values.makeAsyncIterator()
    for value in 2...4 { scene.subject.send(value) }
    var second = scene.subject.values.makeAsyncIterator()
    for value in 5...6 { scene.subject.send(value) }
    for value in policy.remembered(of: [0, 1]) + [2, 3, 4, 5, 6] {
      #expect(await first.next() == value)
    }
    for value in policy.remembered(of: [0, 1, 2, 3, 4]) + [5, 6] {
      #expect(await second.next() == value)
    }
    let isOver = scene.end()
    #expect(isOver)
    scene.subject.send(7)
    #expect(await first.next() == 7)
    #expect(await second.next() == 7)
  }

  @Test(arguments: [Policy.sinceKeyframe, .custom])
  func `D11: a replay that user code decides waits for the blocked subscriber`(
    _ policy: Policy
  ) async {
    let scene = BlockedSubject(policy)
    scene.subject.send(0)
    scene.block()
    var iterator = scene.subject.values.makeAsyncIterator()
    for value in 2...4 { scene.subject.send(value) }
    let isOver = scene.end()
    #expect(isOver)
    for value in policy.remembered(of: [0, 1]) + [2, 3, 4] {
      #expect(await iterator.next() == value)
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `D11: a blocked subscriber of the upstream does hold up the loop of a share over it`() async
  {
    let scene = BlockedSubject(.none)
    let shared = scene.subject.share()
    var early = shared.values.makeAsyncIterator()
    scene.block()
    scene.subject.send(2)
    // No value has reached the share: a loop that begins now gets the values sent before.
    var late = shared.values.makeAsyncIterator()
    let isOver = scene.end()
    #expect(isOver)
    for value in 1...2 {
      #expect(await early.next() == value)
      #expect(await late.next() == value)
    }
  }

  @Test(.timeLimit(.minutes(30)))
  func `D11: three ways out: beside the loop, a loop over the subject, and receive(on:)`() async {
    let (isScheduled, isBeside, letGo) = (Gate(), Gate(), Gate())
    let source = ReplaySubject<Int, Never>(.none)
    let scheduled = source.receive(on: DispatchQueue(label: "slow")).sink { _ in
      isScheduled.open()
      letGo.wait()
    }
    let shared = source.share()
    var behind = shared.values.makeAsyncIterator()
    var before = source.values.makeAsyncIterator()
    let beside = shared.sink { _ in
      isBeside.open()
      letGo.wait()
    }
    let sending = TestThread { source.send(1) }
    isScheduled.wait()
    isBeside.wait()
    source.send(2)
    #expect(await behind.next() == 1)
    for value in 1...2 { #expect(await before.next() == value) }
    beside.cancel()
    scheduled.cancel()
    letGo.open()
    let isOver = sending.join()
    #expect(isOver)
    #expect(await behind.next() == 2)
  }
}
