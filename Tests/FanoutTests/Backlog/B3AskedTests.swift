import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// What a subscriber has asked for does not wait, whatever limits its backlog.
struct B3AskedTests {
  enum Full: CaseIterable, Sendable {
    case dropOldest, dropNewest, customError, rejoin, conflate

    var treatment: Backlog<Int, Broken>.WhenFull {
      switch self {
      case .dropOldest: .dropOldest
      case .dropNewest: .dropNewest
      case .customError: .customError { Broken() }
      case .rejoin: .rejoin
      case .conflate: .conflate { _ in 0 }
      }
    }
  }

  private func backlog(_ full: Full, isAged: Bool) -> Backlog<Int, Broken> {
    let cost = Limit<Int>.cost(4) { $0 }
    guard isAged else { return .limit(cost, whenFull: full.treatment) }
    return .limit(cost, .age(.seconds(1), clock: TestScheduler()), whenFull: full.treatment)
  }

  @Test(arguments: Full.allCases, [false, true])
  func `B1, B3, B5: a value that costs too much reaches a told subscriber that has asked for it`(
    full: Full, isAged: Bool
  ) {
    let source = PassthroughSubject<Int, Broken>()
    let shared = source.share(backlog: backlog(full, isAged: isAged))
    let plain = TestSubscriber<Int, Broken>()
    shared.subscribe(plain)
    let told = TestSubscriber<Delivery<Int>, Broken>()
    shared.deliveries().subscribe(told)
    let counting = TestSubscriber<Delivery<Int>, Broken>(initialDemand: .max(2))
    shared.joining(where: { $0 > 0 }).deliveries().subscribe(counting)
    for value in 5...7 {
      source.send(value)
      counting.request(.max(1))
    }
    source.send(completion: .finished)
    #expect(plain.values == [5, 6, 7])
    #expect(told.values == [.caughtUp, .live(5), .live(6), .live(7)])
    #expect(counting.values == told.values)
    #expect(told.completion == .finished)
  }

  @Test(arguments: Full.allCases)
  func `B3, D8: a request inside of a delivery takes what waits before the limit is looked at`(
    full: Full
  ) {
    for isTold in [false, true] {
      let source = PassthroughSubject<Int, Broken>()
      let shared = source.share(
        backlog: .limit(.count(1), .cost(100) { $0 }, whenFull: full.treatment))
      let slow = TestSubscriber<Int, Broken>(initialDemand: isTold ? .max(1) : .none)
      let asking = shared.sink(
        receiveCompletion: { _ in }, receiveValue: { if $0 == 2 { slow.request(.max(1)) } })
      if isTold {
        shared.deliveries().map { $0.value ?? 0 }.subscribe(slow)
      } else {
        shared.subscribe(slow)
      }
      for value in 1...2 { source.send(value) }
      slow.request(.max(1))
      #expect(slow.values == (isTold ? [0, 1, 2] : [1, 2]))
      asking.cancel()
      slow.cancel()
    }
  }

  @Test(arguments: LoopForm.allCases)
  func `B3, Q5: a loop gets a value that it waits for, whatever that costs`(form: LoopForm) {
    let executor = HandRunExecutor()
    let source = TestPublisher<Int, Broken>()
    let shared = source.share(
      replay: .last(1).headed { _ in nil as Int? },
      backlog: .limit(.cost(4) { $0 }, whenFull: .dropNewest))
    let taken = Notes<Int>()
    let task = Task(executorPreference: executor) {
      var loop = form.makeLoop(over: shared, hasBacklog: true)
      while let value = try await loop.next() { taken.append(value) }
    }
    executor.runAll()
    for value in 5...7 {
      source.send(value)
      executor.runAll()
    }
    #expect(taken.all == [5, 6, 7])
    source.send(completion: .finished)
    executor.runAll()
    withExtendedLifetime(task) {}
  }

  @Test func `B3: costs whose sum exceeds the range of an integer`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(
      backlog: .limit(.cost(.max) { _ in .max / 2 + 1 }, whenFull: .dropOldest))
    let slow = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.subscribe(slow)
    let conflating = TestSubscriber<Int, Never>(initialDemand: .none)
    shared.joining(backlog: .limit(.cost(.max - 1) { $0 }, whenFull: .conflate { _ in 0 }))
      .subscribe(conflating)
    for value in [1, 2, .max, 3, 4] { source.send(value) }
    slow.request(.unlimited)
    conflating.request(.unlimited)
    #expect(slow.values == [4])
    #expect(conflating.values == [4])
    slow.cancel()
    conflating.cancel()
  }
}
