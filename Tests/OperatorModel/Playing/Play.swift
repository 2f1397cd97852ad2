// `@unchecked Sendable` invariant: one thread plays, and alone uses this; closures of operators and
// tasks also run on that thread.

internal import Fanout
import FanoutContract
internal import FanoutLifetime

/// One run of a program, with the operators of a workshop.
package final class Play: @unchecked Sendable {
  /// A value that is not retained.
  private struct Watched {
    weak var item: Item?
  }

  let program: Program
  /// The observations so far.
  var observed = Observation()
  private var sources: [DrivenSubscription] = []
  private var items: [Watched] = []
  private weak var watcher: Watcher?
  private var consumer: (any PlayedConsumer)?
  private var performed: Set<Moment> = []
  private var values = 0
  private var closureCalls = 0
  private var depth = 0
  private var isRunning = false
  private var isLeft = false
  private(set) var workshop: any Workshop
  private var failures = 0
  /// The number of turns that steps have ended.
  private(set) var resumes = 0

  package init(_ program: Program, with workshop: any Workshop) {
    self.program = program
    self.workshop = workshop
  }

  /// Subscribes to the chain.
  package func begin() {
    if case .subscriber(let demand) = program.consumer {
      let watcher = Watcher(demand, in: self)
      self.watcher = watcher
      workshop.subscribe(watcher, to: program.chain, in: self)
    } else {
      consumer = workshop.consume(program.chain, program.consumer, in: self)
    }
  }

  package func perform(_ step: Step) {
    switch step {
    case .send(let source, let number): withSource(source) { $0.send(number) }
    case .finish(let source): withSource(source) { $0.end(.finished) }
    case .fail(let source):
      withSource(source) {
        failures += 1
        $0.end(.failure(Failed(100 * source + failures)))
      }
    case .request(let demand): watcher?.request(demand)
    case .allow(let demand): watcher?.request(demand)
    case .cancel:
      if let consumer { withoutRunning { consumer.cancel() } } else { watcher?.cancel() }
    case .run: run()
    case .succeed(let index): open(index, throwing: false)
    case .throw(let index): open(index, throwing: true)
    case .resume:
      resumes += 1
      consumer?.resume()
    case .next: consumer?.next()
    case .cancelTask(let index): withoutRunning { consumer?.cancelTask(index) }
    case .drop: consumer?.drop()
    }
  }

  /// Returns the current observation.
  package func observation() -> Observation {
    var observation = observed
    observation.holdsConsumer = watcher != nil || consumer?.isHeld ?? false
    items.removeAll { $0.item == nil }
    observation.items = items.compactMap { $0.item?.number }.sorted()
    return observation
  }

  /// Cancels, runs and releases everything, and returns the names of the objects still alive.
  package func leave() -> [String] {
    isLeft = true
    // A subscriber whose subscription comes on a scheduler cannot cancel before that has run.
    for _ in 0..<4 {
      perform(.cancel)
      run()
      while !gates.isEmpty { open(0, throwing: false) }
    }
    run()
    for source in sources { source.letGo() }
    let references = sources.enumerated().map { ("upstream \($0)", WeakReference($1)) }
    sources = []
    consumer = nil
    run()
    workshop.leave()
    var survivors = references.filter(\.1.isAlive).map(\.0)
    if watcher != nil { survivors.append("the subscriber") }
    survivors += items.compactMap { $0.item.map { "the value \($0.number)" } }
    return survivors
  }

  private func withSource(_ number: Int, _ body: (DrivenSubscription) -> Void) {
    if sources.indices.contains(number) { body(sources[number]) }
  }

  /// Runs all actions of the scheduler and all tasks, unless that is in progress already.
  private func run() {
    guard !isRunning else { return }
    isRunning = true
    workshop.run()
    isRunning = false
  }

  /// Prevents runs inside a closure: a call that cancels a task must return before the task runs.
  private func withoutRunning(_ body: () -> Void) {
    let wasRunning = isRunning
    isRunning = true
    body()
    isRunning = wasRunning
  }

  /// Makes a value.
  func item(_ number: Int) -> Item {
    let item = Item(number)
    items.append(Watched(item: item))
    return item
  }

  /// Exempts a value from the lifetime check: the frame of an asynchronous function may retain it.
  func excuse(_ item: Item) { items.removeAll { $0.item === item } }

  func attach(_ subscriber: some Subscriber<Item, Failed>, _ conduct: Chain.Conduct) {
    let number = sources.count
    let source = DrivenSubscription(subscriber, conduct, number: number, in: self)
    sources.append(source)
    observed.sources.append(Observation.Source())
    _ = react(to: .attached(number))
    source.begin()
  }

  /// Records the call of an operator's closure, and performs the program's reaction inside it.
  func closure(_ place: Int, _ number: Int) {
    observed.closures.append([place, number])
    closureCalls += 1
    _ = react(to: .closure(closureCalls))
  }

  func called<Result>(_ call: Observation.Call, _ body: () -> Result) -> Result {
    if depth > 0 { observed.calls.append(.nested) }
    observed.calls.append(call)
    depth += 1
    defer { depth -= 1 }
    return body()
  }

  func reactToValue() -> Subscribers.Demand {
    values += 1
    return react(to: .value(values))
  }

  /// Performs the program's reaction to a call, and returns the additional demand.
  func react(to moment: Moment) -> Subscribers.Demand {
    guard !isLeft, let steps = program.reactions[moment], performed.insert(moment).inserted else {
      return .none
    }
    var allowed = Subscribers.Demand.none
    for step in steps {
      if case .value = moment, case .allow(let more) = step {
        allowed += more
      } else {
        perform(step)
      }
    }
    return allowed
  }

  /// A closure that waits for a step.
  private struct Gate {
    let number: Int
    let open: (_ throwing: Bool) -> Void
  }

  private var gates: [Gate] = []
  private var gateCount = 0

  /// Returns the number of the next waiting closure, in the order in which they begin.
  func newGate() -> Int {
    gateCount += 1
    return gateCount
  }

  /// Adds a waiting closure.
  func addGate(_ number: Int, _ open: @escaping (_ throwing: Bool) -> Void) {
    gates.append(Gate(number: number, open: open))
  }

  /// Suspends a closure until a step; returns whether it must throw.
  func wait(at gate: Int) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        addGate(gate) { continuation.resume(returning: $0) }
      }
    } onCancel: {
      gateCancelled(gate)
    }
  }

  /// Records that the task of a closure was cancelled before the closure returned.
  func gateCancelled(_ number: Int) {
    if !observed.cancelledTasks.contains(number) { observed.cancelledTasks.append(number) }
    observed.cancelledTasks.sort()
  }

  private func open(_ index: Int, throwing: Bool) {
    if gates.indices.contains(index) { gates.remove(at: index).open(throwing) }
  }
}

/// A maker of a chain's operators.
package protocol Workshop {
  func subscribe(_ watcher: Watcher, to chain: Chain, in play: Play)
  func consume(_ chain: Chain, _ consumer: Consumer, in play: Play) -> any PlayedConsumer
  /// Runs all actions of the scheduler, and all tasks.
  func run()
  func leave()
}

/// A consumer other than a plain subscriber, as the steps of a program use it.
package protocol PlayedConsumer: AnyObject {
  var isHeld: Bool { get }
  func cancel()
  func resume()
  func next()
  func cancelTask(_ index: Int)
  func drop()
}
