import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A scheduler and clock of a user's own, over a test's, which cannot take an action back.
///
/// It counts how often its time is read.
private final class OwnClock: Scheduler, Clock, Sendable {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = TestScheduler.SchedulerOptions

  let base = TestScheduler()
  let reads = Shared(0)

  var now: SchedulerTimeType {
    reads.value += 1
    return base.now
  }

  var minimumTolerance: SchedulerTimeType.Stride { base.minimumTolerance }
  var minimumResolution: Duration { base.minimumResolution }
  func sleep(until deadline: SchedulerTimeType, tolerance: Duration?) async throws {}

  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void) {
    base.schedule(options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void
  ) {
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    base.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

/// Many full subscribers, of which one after the other requests a value or leaves.
struct B6CrowdTests {
  private typealias WhenFull = Backlog<Int, Never>.WhenFull

  private let clock = OwnClock()

  /// A request or a cancel of one of them.
  enum Step: CaseIterable { case request, cancel }

  @Test(arguments: Step.allCases, [false, true])
  func `B6: a request and a cancel take no look at every other subscriber`(
    step: Step, ends: Bool
  ) {
    let source = TestPublisher<Int, Never>()
    let whenFull =
      ends ? WhenFull.wait(atMost: .seconds(99), scheduler: clock, then: .dropOldest) : .wait
    let shared = source.share(
      backlog: .limit(.age(.seconds(1), clock: clock), whenFull: whenFull))
    var crowd = (0..<200).map { _ in TestSubscriber<Int, Never>(initialDemand: .none) }
    for member in crowd { shared.subscribe(member) }
    source.send(1)
    clock.base.advance(by: .seconds(2))
    // Each of them is full now, so that nothing is requested behind this value.
    source.send(2)
    var chance = SeededChance(seed: 7)
    crowd.shuffle(using: &chance)
    let asked = source.requests.count
    clock.reads.value = 0
    for member in crowd {
      #expect(source.requests.count == asked)
      if step == .request { member.request(.max(1)) } else { member.cancel() }
    }
    #expect(clock.reads.value < 20 * crowd.count)
    // Without a subscriber nothing is requested.
    #expect(source.requests.count == (step == .request ? asked + 1 : asked))
    for member in crowd { member.cancel() }
  }

  @Test(arguments: seeds(40))
  func `B6: loops, sinks and subscribers together: the slowest decides, whoever comes and goes`(
    seed: UInt64
  ) {
    var chance = SeededChance(seed: seed)
    let source = TestPublisher<Int, Never>()
    let size = Int.random(in: 1...4, using: &chance)
    let shared = source.share(backlog: .size(size, whenFull: .wait))
    // As many values as have been requested, at most.
    var (requested, sent) = (0, 0)
    var crowd: [(subscriber: TestSubscriber<Int, Never>, from: Int, asked: Int)] = []
    let keeping = shared.sink { _ in }
    for _ in 0..<200 {
      switch Int.random(in: 0..<4, using: &chance) {
      case 0:
        let subscriber = TestSubscriber<Int, Never>(initialDemand: .none)
        shared.subscribe(subscriber)
        crowd.append((subscriber, sent, 0))
      case 1:
        guard let place = crowd.indices.randomElement(using: &chance) else { continue }
        crowd.remove(at: place).subscriber.cancel()
      case 2:
        guard let place = crowd.indices.randomElement(using: &chance) else { continue }
        crowd[place].asked += 1
        crowd[place].subscriber.request(.max(1))
      default:
        guard sent < requested else { continue }
        sent += 1
        source.send(sent)
      }
      // No more than there is room for, and all of that.
      let waiting = crowd.map { max(0, sent - $0.from - $0.asked) }
      requested = max(requested, sent + size - (waiting.max() ?? 0))
      let sum = source.requests.reduce(0) { $0 + ($1.max ?? 0) }
      #expect(sum == requested, "seed \(seed)")
    }
    for member in crowd { member.subscriber.cancel() }
    keeping.cancel()
  }

  @Test func `B3, O6: when the one with the widest backlog leaves, its values are released`() {
    let source = PassthroughSubject<Token, Never>()
    let shared = source.share()
    let crowd = [1, 3, 3, 5].map { size in
      let member = TestSubscriber<Token, Never>(initialDemand: .none)
      shared.joining(backlog: .size(size, whenFull: .dropOldest)).subscribe(member)
      return (member, size)
    }
    var watches: [WeakReference] = []
    func send() {
      let token = Token(watches.count)
      watches.append(WeakReference(token))
      source.send(token)
    }
    for _ in 0..<9 { send() }
    #expect(watches.count(where: \.isAlive) == 5)
    crowd[3].0.cancel()
    #expect(watches.count(where: \.isAlive) == 3)
    crowd[1].0.cancel()
    send()
    #expect(watches.count(where: \.isAlive) == 3)
    crowd[2].0.cancel()
    #expect(watches.count(where: \.isAlive) == 1)
    crowd[0].0.cancel()
    #expect(watches.allSatisfy { !$0.isAlive })
  }

  @Test func `T1: a scheduler that cannot take an action back keeps it until its time`() {
    let source = PassthroughSubject<Int, Never>()
    var watch: WeakReference?
    do {
      let shared = source.share(
        disconnect: .whenIdle(for: .seconds(5), scheduler: clock),
        backlog: .size(
          1, whenFull: .wait(atMost: .seconds(5), scheduler: clock, then: .dropOldest)))
      let stuck = TestSubscriber<Int, Never>(initialDemand: .none)
      shared.subscribe(stuck)
      source.send(1)
      stuck.cancel()
      watch = WeakReference(shared)
    }
    #expect(watch?.isAlive == false)
    #expect(clock.base.scheduledCount == 2)
    clock.base.advance(by: .seconds(5))
    #expect(clock.base.scheduledCount == 0)
  }
}
