import Fanout
import FanoutTestSupport
import XCTest

/// Tests as people write them who come from Combine, in Swift 5 mode: they must build without a
/// warning.
final class CombineStyleTests: XCTestCase {
  private var cancellables: Set<AnyCancellable> = []

  override func tearDown() {
    cancellables = []
    super.tearDown()
  }

  func testSinkCollectsIntoALocalVariable() {
    var received: [Int] = []
    var completion: Subscribers.Completion<Never>?
    [1, 2, 3].publisher
      .map { $0 * 2 }
      .sink(receiveCompletion: { completion = $0 }, receiveValue: { received.append($0) })
      .store(in: &cancellables)
    XCTAssertEqual(received, [2, 4, 6])
    XCTAssertEqual(completion, .finished)
  }

  func testSubscriberAsksByHand() {
    var seen: [Int] = []
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { _, value in
      seen.append(value)
      return .none
    }
    (1...5).publisher.subscribe(subscriber)
    subscriber.request(.max(2))
    XCTAssertEqual(seen, [1, 2, 3])
    XCTAssertEqual(subscriber.violations, [], subscriber.report)
  }

  func testPublisherIsDrivenByHand() {
    var requests: [Subscribers.Demand] = []
    let upstream = TestPublisher<Int, Never>(whenAsked: { _, demand in requests.append(demand) })
    upstream.sink { _ in }.store(in: &cancellables)
    XCTAssertEqual(requests, [.unlimited])
  }

  func testRecorderWaits() async throws {
    let recorder = [1, 2, 3].publisher.record()
    let values = try await recorder.waitForValues(3, within: .seconds(1800))
    XCTAssertEqual(values, [1, 2, 3])
    try await recorder.waitForEnd(within: .seconds(1800))
  }

  /// A model as there are many, not `Sendable`.
  private final class Model {
    var name: String
    init(name: String) { self.name = name }
  }

  func testRecorderKeepsModels() async throws {
    let models = PassthroughSubject<Model, Never>()
    let recorder = models.record()
    models.send(Model(name: "one"))
    let received = try await recorder.waitForValues(1, within: .seconds(1800))
    XCTAssertEqual(received.map(\.name), ["one"])
  }

  func testModelIsAssignedTo() {
    let model = Model(name: "")
    let names = PassthroughSubject<String, Never>()
    names.removeDuplicates().assign(to: \.name, on: model).store(in: &cancellables)
    names.assign(to: \.name, onWeak: model).store(in: &cancellables)
    names.send("one")
    XCTAssertEqual(model.name, "one")
  }

  /// A stream as there are many, not `Sendable`.
  private final class Log: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
  }

  func testEventsGoIntoLocalVariables() {
    let log = Log()
    var outputs: [Int] = []
    [1, 2].publisher
      .print("numbers", to: log)
      .handleEvents(receiveOutput: { outputs.append($0) })
      .sink { _ in }
      .store(in: &cancellables)
    XCTAssertEqual(outputs, [1, 2])
    XCTAssert(log.text.hasSuffix("numbers: receive finished\n"))
  }

  func testOperatorsOfJustAndSequencesHaveTheTypesOfCombine() {
    var calls = 0
    let doubled = Just(1).map { number -> Int in
      calls += 1
      return number * 2
    }
    let named: Just<Int> = doubled
    let large = [1, 5].publisher.filter { $0 > 2 }.first()
    let found: Optional<Int>.Publisher = large
    let sum: Result<Int, Never>.Publisher = [1, 5].publisher.reduce(0, +)
    XCTAssertEqual(calls, 1)
    XCTAssertEqual(named, Just(2))
    XCTAssertEqual(found, Optional(5).publisher)
    XCTAssertEqual(sum, Result.success(6).publisher)
  }

  func testFutureHandsItsPromiseOn() {
    var promise: Future<Model, Never>.Promise?
    let future = Future<Model, Never> { promise = $0 }
    var received: Model?
    future.sink { received = $0 }.store(in: &cancellables)
    promise?(.success(Model(name: "one")))
    XCTAssertEqual(received?.name, "one")
  }

  func testMarblesInVirtualTime() throws {
    let scheduler = TestScheduler()
    var seen: [Int] = []
    let upstream = scheduler.cold("a-b-(cd)|", values: ["a": 1, "b": 2, "c": 3, "d": 4])
    let shared = upstream.share(replay: .latest)
    shared.sink { seen.append($0) }.store(in: &cancellables)
    scheduler.advance(by: 3)
    let late = shared.record(scheduler: scheduler)
    try scheduler.run()
    XCTAssertEqual(seen, [1, 2, 3, 4])
    try late.expectMarbles("---b(cd)|", values: ["b": 2, "c": 3, "d": 4])
  }

  func testMarblesOfModels() throws {
    let scheduler = TestScheduler()
    let model = Model(name: "one")
    let recorder = scheduler.hot("-a", values: ["a": model]).record(scheduler: scheduler)
    try scheduler.run()
    XCTAssert(recorder.values.first === model)
  }

  func testActionsChangeALocalVariable() {
    let scheduler = TestScheduler()
    var ticks = 0
    let ticking = scheduler.schedule(after: 1, interval: 1) { ticks += 1 }
    scheduler.advance(by: 3)
    ticking.cancel()
    XCTAssertEqual(ticks, 3)
  }
}
