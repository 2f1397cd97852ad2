import Fanout
import FanoutTestSupport
import TestFixtures
import TestThreads
import Testing

/// Requests for a keyframe: at most one an interval, whoever comes and goes.
struct StartRequestTests {
  private static let isKeyframe: @Sendable (Int) -> Bool = { $0 % 10 == 0 }

  /// A source that can be connected to again after its end.
  private final class Camera {
    let clock = TestScheduler()
    let asked = Shared(0)
    private let current = Shared<PassthroughSubject<Int, Never>?>(nil)
    private(set) lazy var shared = Deferred { [current] in
      let subject = PassthroughSubject<Int, Never>()
      current.value = subject
      return subject
    }.share(replay: replay, restart: .afterFinish)
    private let limit: Limit<Int>
    private let fromBeginning: Bool

    init(_ limit: Limit<Int> = .unlimited, fromBeginning: Bool = true) {
      self.limit = limit
      self.fromBeginning = fromBeginning
    }

    private var replay: Replay<Int> {
      .sinceKeyframe(
        limit: limit, fromBeginning: fromBeginning, where: StartRequestTests.isKeyframe
      )
      .requesting(every: .milliseconds(StartRequestModel.interval), scheduler: clock) {
        [asked] in asked.change { $0 += 1 }
      }
    }

    func send(_ value: Int) { current.value?.send(value) }
    func finish() { current.value?.send(completion: .finished) }
  }

  /// A viewer that takes its values by hand, or all of them.
  private enum Viewer {
    case sink(AnyCancellable)
    case slow(TestSubscriber<Int, Never>)

    func leave() {
      switch self {
      case .sink(let sink): sink.cancel()
      case .slow(let subscriber): subscriber.cancel()
      }
    }
  }

  @Test(arguments: [1, 3, Int.max], [false, true])
  func `T1: viewers that come and go, and the requests for a keyframe`(
    limit: Int, fromBeginning: Bool
  ) throws {
    for seed in seeds(50) {
      for hasSlow in [false, true] {
        try play(limit, fromBeginning, hasSlow: hasSlow, seed: seed)
      }
    }
  }

  private func play(_ limit: Int, _ fromBeginning: Bool, hasSlow: Bool, seed: UInt64) throws {
    var chance = SeededChance(seed: seed)
    let camera = Camera(limit < .max ? .count(limit) : .unlimited, fromBeginning: fromBeginning)
    var model = StartRequestModel(limit: limit, fromBeginning: fromBeginning)
    var viewers: [Int: Viewer] = [:]
    var steps: [String] = []
    for number in 0..<40 {
      switch Int.random(in: 0..<14, using: &chance) {
      case 0...2:
        let size =
          hasSlow && Bool.random(using: &chance) ? Int.random(in: 1...3, using: &chance) : nil
        steps.append("join \(number) \(size ?? 0)")
        if let size {
          let slow = TestSubscriber<Int, Never>(initialDemand: .none)
          camera.shared.joining(backlog: .size(size, whenFull: .rejoin)).subscribe(slow)
          viewers[number] = .slow(slow)
        } else {
          viewers[number] = .sink(camera.shared.sink { _ in })
        }
        model.join(number, size: size)
      case 3, 4:
        guard let id = model.ids.randomElement(using: &chance) else { continue }
        steps.append("leave \(id)")
        viewers[id]?.leave()
        model.leave(id)
      case 5:
        steps.append("key")
        camera.send(0)
        model.send(isKey: true)
      case 6...8:
        steps.append("p")
        camera.send(1)
        model.send(isKey: false)
      case 9:
        steps.append("clear")
        camera.shared.clearReplay()
        model.clear()
      case 10:
        guard let id = model.ids.first(where: { model.waiting(for: $0) > 0 }),
          case .slow(let slow) = viewers[id]
        else { continue }
        steps.append("take \(id)")
        slow.request(.max(1))
        model.take(id)
      case 11 where !hasSlow:
        steps.append("reconnect")
        camera.shared.reconnect()
        model.reconnect()
      case 12 where !hasSlow:
        steps.append("finish")
        camera.finish()
        model.finish()
      default:
        steps.append("advance")
        camera.clock.advance(by: 1)
        model.advance()
      }
      // Made only for a failure.
      var place: Comment { "seed \(seed): \(steps.joined(separator: ", "))" }
      try #require(camera.asked.value == model.asked, place)
      try #require(camera.clock.scheduledCount == (model.due == nil ? 0 : 1), place)
    }
    for viewer in viewers.values { viewer.leave() }
    try camera.clock.run()
  }

  @Test func `T1: of a hundred viewers that come and go one asks, and one action is left`() throws {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let camera = Broadcast<String, Never>(
      replay: .sinceKeyframe(limit: .count(1)) { $0 == "key" }
        .requesting(every: .seconds(1), scheduler: clock) { asked += 1 })
    let recording = camera.publisher.sink { _ in }
    for frame in ["key", "p", "p"] { camera.yield(frame) }
    for _ in 1...100 { camera.publisher.sink { _ in }.cancel() }
    #expect(asked == 1 && clock.scheduledCount == 1)
    // Nobody waits when the interval is over.
    clock.advance(by: .seconds(1))
    #expect(asked == 1 && clock.scheduledCount == 0)
    let late = camera.publisher.sink { _ in }
    #expect(asked == 2)
    late.cancel()
    let last = camera.publisher.sink { _ in }
    #expect(asked == 2)
    clock.advance(by: .seconds(1))
    #expect(asked == 3)
    last.cancel()
    recording.cancel()
    try clock.run()
    #expect(asked == 3)
  }

  @Test func `T1: shares of one policy ask for themselves`() throws {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let replay = Replay<Int>.sinceKeyframe(fromBeginning: false, where: Self.isKeyframe)
      .requesting(every: .seconds(1), scheduler: clock) { asked += 1 }
    let (one, other) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let sinks = [one, other].map { $0.share(replay: replay).sink { _ in } }
    #expect(asked == 2)
    for sink in sinks { sink.cancel() }
    try clock.run()
    #expect(asked == 2)
  }

  /// A door for a viewer that lags.
  enum Door: CaseIterable, Sendable {
    case subscriber, deliveries, selected, loop, deliveriesLoop, batches, selectedBatches
  }

  @Test(arguments: Door.allCases, [1_000, Int.max])
  func `B4: a viewer that lags, with no keyframe ahead, asks for one`(
    _ door: Door, limit: Int
  ) async throws {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let replay = Replay<Int>.sinceKeyframe(
      limit: limit < .max ? .count(limit) : .unlimited, where: { $0 % 100 == 0 }
    ).requesting(every: .seconds(1), scheduler: clock) { asked += 1 }
    let camera = Broadcast<Int, Never>(replay: replay)
    let viewers = camera.values.joining(backlog: .size(20, whenFull: .rejoin))
    let selected = camera.values.joining(
      where: { _ in true }, backlog: .size(20, whenFull: .rejoin))
    var take: (() async -> Int?)?
    var leave: (() -> Void)?
    switch door {
    case .subscriber:
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      viewers.publisher.subscribe(slow)
      leave = { slow.cancel() }
      take = {
        slow.request(.max(1))
        return slow.values.last
      }
    case .deliveries:
      let slow = TestSubscriber<Delivery<Int>, Never>(initialDemand: .none)
      viewers.publisher.deliveries().subscribe(slow)
      leave = { slow.cancel() }
      take = {
        let known = slow.values.count(where: { $0.value != nil })
        while slow.values.count(where: { $0.value != nil }) == known { slow.request(.max(1)) }
        return slow.values.last?.value
      }
    case .selected:
      let slow = TestSubscriber<Int, Never>(initialDemand: .none)
      selected.publisher.subscribe(slow)
      leave = { slow.cancel() }
      take = {
        slow.request(.max(1))
        return slow.values.last
      }
    case .loop: take = taking(viewers) { $0 }
    case .deliveriesLoop: take = taking(viewers.deliveries()) { $0.value }
    case .batches: take = taking(viewers.batches(upTo: 1)) { $0.last }
    case .selectedBatches: take = taking(selected.batches(upTo: 1)) { $0.last }
    }
    camera.yield(0)
    for number in 1...19 { camera.yield(number) }
    clock.advance(by: .seconds(5))
    #expect(asked == 0)
    // One more than its backlog holds: it waits for a start.
    camera.yield(21)
    #expect(asked == 1)
    camera.yield(22)
    clock.advance(by: .seconds(2))
    #expect(asked == 3 && clock.scheduledCount == 1)
    // With two values less it lags no more than it may.
    #expect(await take?() == 0)
    #expect(await take?() == 1)
    clock.advance(by: .seconds(2))
    #expect(asked == 3 && clock.scheduledCount == 0)
    camera.yield(23)
    #expect(asked == 4)
    camera.yield(100)
    clock.advance(by: .seconds(2))
    #expect(asked == 4 && clock.scheduledCount == 0)
    #expect(await take?() == 100)
    for number in 101...121 { camera.yield(number) }
    #expect(asked == 5)
    // It leaves; so does a loop when its iterator is released.
    leave?()
    take = nil
    clock.advance(by: .seconds(2))
    #expect(asked == 5 && clock.scheduledCount == 0)
  }

  @Test func `B4, L9: behind the beginning of a connection a loop asks for no keyframe`() {
    let (clock, asked) = (TestScheduler(), Shared(0))
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast(
      replay: .sinceKeyframe(where: Self.isKeyframe)
        .requesting(every: .seconds(1), scheduler: clock) { asked.change { $0 += 1 } },
      backlog: .size(2, whenFull: .rejoin))
    let first = shared.connect()
    let loop = shared.values.makeAsyncIterator()
    for value in [10, 11, 12] { source.send(value) }
    shared.clearReplay()
    source.send(13)
    first.cancel()
    clock.advance(by: .seconds(2))
    let known = asked.value
    #expect(known > 0)
    let second = shared.connect()
    #expect(asked.value == known)
    withExtendedLifetime(loop) {}
    second.cancel()
    clock.advance(by: .seconds(2))
  }

  @Test(arguments: [false, true])
  func `B4, L9: a loop that waits behind a clear asks for a keyframe`(isOverBefore: Bool) async {
    let clock = TestScheduler()
    nonisolated(unsafe) var asked = 0
    let camera = Broadcast<Int, Never>(
      replay: .sinceKeyframe(where: Self.isKeyframe)
        .requesting(every: .seconds(1), scheduler: clock) { asked += 1 })
    var loop = camera.values.joining(backlog: .size(2, whenFull: .rejoin)).makeAsyncIterator()
    for number in 0...(isOverBefore ? 2 : 1) { camera.yield(number) }
    #expect(asked == (isOverBefore ? 1 : 0))
    camera.values.clearReplay()
    camera.yield(3)
    #expect(asked == 1)
    clock.advance(by: .seconds(1))
    #expect(asked == 2)
    camera.yield(10)
    #expect(await loop.next() == 10)
    clock.advance(by: .seconds(2))
    #expect(asked == 2 && clock.scheduledCount == 0)
  }

  private func taking<Elements: AsyncSequence>(
    _ elements: Elements, _ value: @escaping (Elements.Element) -> Int?
  ) -> () async -> Int? where Elements.Failure == Never {
    var iterator = elements.makeAsyncIterator()
    return {
      while let element = await iterator.next(isolation: nil) {
        if let value = value(element) { return value }
      }
      return nil
    }
  }
}
