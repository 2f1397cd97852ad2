import FanoutOperators
import Testing

/// The state of `asyncMap`, event by event.
struct AsyncMapWindowTests {
  /// The state in an object, so that `#expect` can call what changes it, with the values and results beside it.
  private final class Window {
    var state: AsyncMapWindow
    private var waiting: [Int] = []
    private var results: [Int: Int] = [:]

    init(maxConcurrent: Int) { state = AsyncMapWindow(maxConcurrent: maxConcurrent) }

    func accept(_ input: Int) -> Bool {
      guard state.accept() else { return false }
      waiting.append(input)
      return true
    }

    func addWorker(isCalling: Bool) -> Int? { state.addWorker(isCalling: isCalling)?.place }
    func takeValue(_ worker: Int) -> Int? {
      state.takeValue(worker) ? waiting.removeFirst() : nil
    }
    func endWorker(_ worker: Int) { _ = state.removeWorker(worker) }

    func succeed(_ worker: Int, _ output: Int) -> Bool {
      guard let value = state.succeed(worker) else { return false }
      results[value] = output
      return true
    }

    func fail(_ worker: Int) -> Bool { release(state.fail(worker)) }
    func abandonAll() { _ = release(state.abandonAll()) }

    private func release(_ old: AsyncMapWindow.Abandoned?) -> Bool {
      guard let old else { return false }
      waiting = []
      for value in old.results { results[value] = nil }
      return true
    }

    /// Everything that can be delivered now.
    func drained() -> [Int?] {
      var all: [Int?] = []
      while case .result(let value) = state.supply(isRequested: true) {
        all.append(results.removeValue(forKey: value))
      }
      return all
    }

    /// Whether each result that is kept is one that the state knows.
    var isConsistent: Bool { results.keys.sorted() == state.readyValues }

    var isOver: Bool {
      guard case .end = state.supply(isRequested: false) else { return false }
      return true
    }
  }

  @Test func `Q3: there are as many places as may be`() {
    let window = Window(maxConcurrent: 2)
    let accepted = (1...3).map { window.accept($0) }
    #expect(accepted == [true, true, false])
  }

  @Test func `Q4: results wait for earlier ones, in a ring that grows and turns`() throws {
    let window = Window(maxConcurrent: 9)
    var delivered: [Int?] = []
    var next = 1
    for round in 0..<20 {
      // First fewer than there are places, so that the ring grows when it has turned.
      let count = round < 5 ? 3 : 9
      var workers: [(Int, Int)] = []
      for _ in 0..<count {
        #expect(window.accept(next))
        let worker = try #require(window.addWorker(isCalling: false))
        let input = try #require(window.takeValue(worker))
        workers.append((worker, input))
        next += 1
      }
      for (worker, input) in workers.reversed() {
        #expect(window.drained() == [])
        #expect(window.succeed(worker, input * 10))
        #expect(window.isConsistent)
        #expect(window.takeValue(worker) == nil)
        window.endWorker(worker)
      }
      delivered += window.drained()
      #expect(window.state.count == 0)
    }
    #expect(delivered == (1..<next).map { $0 * 10 })
    #expect(window.state.workers.count == 9)
  }

  @Test func `a worker starts only for a value that no other would take up`() throws {
    let window = Window(maxConcurrent: 2)
    #expect(window.addWorker(isCalling: false) == nil)
    _ = window.accept(1)
    let first = try #require(window.addWorker(isCalling: false))
    #expect(window.addWorker(isCalling: false) == nil)
    #expect(window.takeValue(first) == 1)
    #expect(window.succeed(first, 10))
    #expect(window.drained() == [10])
    // It seeks a value, unless it is inside the subscriber's `receive`.
    _ = window.accept(2)
    #expect(window.addWorker(isCalling: false) == nil)
    let second = try #require(window.addWorker(isCalling: true))
    _ = window.accept(3)
    // No more than may be at a time.
    #expect(window.addWorker(isCalling: true) == nil)
    #expect(window.takeValue(second) == 2)
    #expect(window.takeValue(first) == 3)
    #expect(window.state.started == 2)
  }

  @Test func `Q4: an error replaces later values, later errors and the end`() throws {
    let window = Window(maxConcurrent: 4)
    var workers: [Int] = []
    for value in 1...4 {
      _ = window.accept(value)
      workers.append(try #require(window.addWorker(isCalling: false)))
      #expect(window.takeValue(workers[value - 1]) == value)
    }
    let isFirst = window.state.finish()
    #expect(isFirst)
    #expect(window.fail(workers[2]))
    #expect(window.state.count == 3)
    // The fourth was given up.
    #expect(!window.fail(workers[3]))
    #expect(window.fail(workers[1]))
    #expect(window.succeed(workers[0], 10))
    for worker in workers {
      #expect(window.takeValue(worker) == nil)
      window.endWorker(worker)
    }
    #expect(!window.isOver)
    #expect(window.drained() == [10])
    #expect(window.isOver)
    #expect(window.state.count == 0)
    #expect(!window.accept(5))
  }

  @Test func `D7: after a cancel nothing starts and no result is awaited`() throws {
    let window = Window(maxConcurrent: 3)
    _ = window.accept(1)
    let worker = try #require(window.addWorker(isCalling: false))
    #expect(window.takeValue(worker) == 1)
    _ = window.accept(2)
    let other = try #require(window.addWorker(isCalling: false))
    window.abandonAll()
    #expect(window.takeValue(other) == nil)
    window.endWorker(other)
    #expect(!window.succeed(worker, 10))
    #expect(window.takeValue(worker) == nil)
    window.endWorker(worker)
    #expect(window.state.count == 0)
    #expect(window.addWorker(isCalling: false) == nil)
    #expect(window.drained() == [])
    #expect(!window.isOver)
  }
}
