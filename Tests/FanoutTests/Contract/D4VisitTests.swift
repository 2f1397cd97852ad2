// `@unchecked Sendable` invariant: a test's cache is reached by one thread at a time (D11).

import Fanout
import FanoutEngine
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// A cache that calls a closure when it is read, and one when it is released.
private final class ObservedCache: ReplayCache, @unchecked Sendable {
  private let visit: Visit
  private var values: [Int] = []

  init(_ visit: Visit) { self.visit = visit }

  func record(_ value: Int) { values.append(value) }

  var contents: [Int] {
    visit.beginInside()
    return values
  }

  deinit { visit.beginInside() }
}

/// A call that brings no value comes back, whoever else sends (D4).
struct D4VisitTests {
  enum Call: CaseIterable, Sendable {
    case status, replayed, sink, subscribe, iterate, request, cancel, clear
  }

  private static let steps = [1, 3, 200]
  /// The greatest number of values that a call delivers whose time is over as soon as another thread brings one: that
  /// one, and the next, with which it notices.
  private static let few = 3

  @Test(arguments: Call.allCases, steps)
  func `D4: a call that brings no value leaves what others bring to a task after a time`(
    call: Call, step: Int
  ) async {
    let source = PassthroughSubject<Int, Never>()
    let visit = Visit(step: step) { source.send($0) }
    let shared = source.share(replay: .custom { ObservedCache(visit) })
    let view = shared.joining(.live).sink { visit.receive($0) }
    source.send(0)
    var newcomers: [AnyCancellable] = []
    let late = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, _ in
        visit.beginInside()
        return .none
      })
    if call == .request { shared.subscribe(late) }
    var leaver: AnyCancellable? = shared.sink { [token = Token { visit.beginInside() }] _ in
      withExtendedLifetime(token) {}
    }
    let count = visit.deliveries {
      switch call {
      case .status: #expect(shared.status.cached == 1)
      case .replayed: #expect(shared.replayed == [0])
      case .sink: newcomers.append(shared.sink { _ in })
      case .subscribe: shared.subscribe(late)
      case .iterate: withExtendedLifetime(shared.values.makeAsyncIterator()) {}
      case .request: late.request(.max(1))
      case .cancel: leaver = nil
      case .clear: shared.clearReplay()
      }
    }
    #expect(count <= Self.few)
    #expect(await visit.hasAll())
    withExtendedLifetime(leaver) {}
    late.cancel()
    newcomers.forEach { $0.cancel() }
    view.cancel()
  }

  @Test(arguments: steps)
  func `D4: a subscriber that gets its replay leaves what others bring to a task after a time`(
    step: Int
  ) async {
    let source = PassthroughSubject<Int, Never>()
    let visit = Visit(step: step) { source.send($0) }
    let shared = source.share(replay: .all)
    let view = shared.sink { visit.receive($0) }
    for _ in 0..<10 { source.send(0) }
    let replayed = Shared(0)
    var late: AnyCancellable?
    let count = visit.deliveries {
      late = shared.sink { value in
        if value == 0 { replayed.increment() }
        visit.beginInside()
      }
    }
    #expect(replayed.value == 10)
    #expect(count <= Self.few)
    #expect(await visit.hasAll())
    late?.cancel()
    view.cancel()
  }

  @Test(arguments: steps)
  func `D4: a request to a buffer leaves what others bring to a task, behind at most 128 values`(
    step: Int
  ) async {
    let source = PassthroughSubject<Int, Never>()
    let visit = Visit(step: step, count: 400) { source.send($0) }
    let late = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, value in
        visit.receive(value)
        return .none
      })
    source.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(late)
    source.send(0)
    let count = visit.deliveries { late.request(.unlimited) }
    // The first look only notes when the time begins.
    #expect(count <= 2 * 128)
    #expect(await visit.hasAll())
    late.cancel()
  }

  @Test func `D3, D4: on one thread all has been delivered when the outermost call returns`() {
    let source = PassthroughSubject<Int, Never>()
    let shared = source.share(replay: .last(1))
    let received = Shared(0)
    let chain = shared.sink { value in
      received.increment()
      if value > 1 { source.send(value - 1) }
    }
    let count = rounds(10_000)
    source.send(0)
    let isFirst = Shared(true)
    // The replay of a newcomer begins the chain.
    let newcomer = shared.sink { _ in
      guard isFirst.value else { return }
      isFirst.value = false
      source.send(count)
    }
    #expect(received.value == count + 1)
    newcomer.cancel()
    // A request begins it.
    source.send(0)
    let late = TestSubscriber<Int, Never>(
      initialDemand: .none,
      demandFor: { _, _ in
        source.send(count)
        return .none
      })
    shared.subscribe(late)
    late.request(.max(1))
    #expect(received.value == 2 * count + 2)
    late.cancel()
    chain.cancel()
  }

  @Test func `D4: on one thread a request takes all values that wait, however many`() {
    let source = PassthroughSubject<Int, Never>()
    let count = rounds(10_000)
    let queued = TestSubscriber<Int, Never>(initialDemand: .none)
    source.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(queued)
    let replayed = TestSubscriber<Int, Never>(initialDemand: .none)
    let shared = source.share(replay: .all)
    shared.subscribe(replayed)
    for number in 1...count { source.send(number) }
    queued.request(.unlimited)
    replayed.request(.unlimited)
    #expect(queued.values == Array(1...count))
    #expect(replayed.values == Array(1...count))
    queued.cancel()
    replayed.cancel()
  }
}
