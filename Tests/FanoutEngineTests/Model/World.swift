import FanoutEngine
import FanoutTestSupport
import TestThreads

/// A world that operations change, and that records the calls of each receiver.
class World {
  /// The calls of each receiver, by receiver.
  fileprivate(set) var logs: [[String]] = []
  /// The operations and their effects, in order, and indented by their nesting.
  private(set) var trace: [String] = []
  private var depth = 0
  private let seed: UInt64
  private var nextNumber = 1
  private var connection = 1
  /// The number of operations that may still be done inside of receivers.
  private var budget: Int

  /// The time, which passes only between the calls of a world.
  let ticks: Ticks

  init(seed: UInt64, budget: Int = 30, _ ticks: Ticks = Ticks()) {
    (self.seed, self.budget, self.ticks) = (seed, budget, ticks)
  }

  /// The demand that was passed to the upstream, request by request.
  var requested: [Int] { [] }
  /// What each attached receiver with a backlog has missed, by receiver.
  var missed: [Int: Int] { [:] }

  func send(_ number: Int, from connection: Int) {}
  func finish(from connection: Int) {}
  func open(_ connection: Int) {}
  func close(_ connection: Int) {}
  func clear() {}
  func attach(_ receiver: Int, asking credit: Int, on terms: Terms?, whileTold: [Operation]) {}
  func ask(_ receiver: Int, _ count: Int) {}
  func cancel(_ receiver: Int) {}

  final func perform(_ operation: Operation) {
    note("\(operation)")
    depth += 1
    defer { depth -= 1 }
    switch operation {
    case .send, .sendLate:
      let isLate = if case .sendLate = operation { true } else { false }
      nextNumber += 1
      send(nextNumber - 1, from: isLate ? connection - 1 : connection)
    case .finish: finish(from: connection)
    case .attach(let credit, let terms, let whileTold):
      logs.append([])
      attach(logs.count - 1, asking: credit, on: terms, whileTold: whileTold)
    case .ask(let index, let count): if !logs.isEmpty { ask(index % logs.count, count) }
    case .cancel(let index): if !logs.isEmpty { cancel(index % logs.count) }
    case .open:
      connection += 1
      open(connection)
    case .close: close(connection)
    case .clear: clear()
    case .pass: ticks.now += 1
    }
  }

  /// Notes that a receiver got something, and does inside of it what chance says; the chance is the
  /// same in every world.
  ///
  /// Returns how much more the receiver allows.
  final func receive(_ what: String, _ receiver: Int) -> Int {
    logs[receiver].append(what)
    note("receiver \(receiver) gets \(what)")
    var chance = SeededChance(
      seed: seed &+ UInt64(receiver) &* 1009 &+ UInt64(logs[receiver].count) &* 9176)
    if budget > 0, Int.random(in: 0..<4, using: &chance) == 0 {
      budget -= 1
      depth += 1
      perform(chance.operation(mayPass: false))
      depth -= 1
    }
    return Int.random(in: 0..<5, using: &chance) == 0 ? 1 : 0
  }

  private func note(_ what: String) {
    trace.append(String(repeating: "  ", count: depth) + what)
  }
}

/// The hub itself.
final class HubWorld: World {
  private let kind: RetentionKind
  private let backlog: BacklogKind?
  private let owner: Owner<Int>
  private var cursors: [Int: Cursor<Int, String>] = [:]
  private let upstream = AskedSource()

  private lazy var lastRequests = upstream.requests.map { Int($0.rawValue) }
  private var isTornDown = false { didSet { _ = (lastRequests, lastMissed) } }

  override var requested: [Int] { lastRequests }

  private lazy var lastMissed = cursors.compactMapValues { [owner] cursor -> Int? in
    cursor.limitedBacklog.map { owner.hub.missedCount(of: cursor, $0) }
  }

  override var missed: [Int: Int] { lastMissed }

  init(_ kind: RetentionKind, _ backlog: BacklogKind?, seed: UInt64, budget: Int = 30) {
    (self.kind, self.backlog) = (kind, backlog)
    let ticks = Ticks()
    owner = Owner(
      kind.numbers,
      limits: backlog.map { BacklogLimits($0.policy(ticks)) }, isOpen: false)
    super.init(seed: seed, budget: budget, ticks)
    open(1)
  }

  override func send(_ number: Int, from connection: Int) {
    owner.hub.send(number, from: connection)
  }
  override func finish(from connection: Int) { owner.hub.finish("end", from: connection) }
  override func open(_ connection: Int) {
    owner.hub.open(connection)
    owner.hub.admitUpstream(upstream, from: connection)
  }
  override func close(_ connection: Int) { owner.hub.close(connection) }

  override func clear() { owner.hub.clear() }

  override func attach(
    _ receiver: Int, asking credit: Int, on terms: Terms?, whileTold: [Operation]
  ) {
    if credit == 1_000_000, whileTold.isEmpty, terms == nil { return attachSink(receiver) }
    let selection = terms?.selects == true ? Selection(Terms.takes) : nil
    let inlet = Inlet<Int> {
      guard selection?.takes($0) != false else { return .none }
      return Credit(rawValue: UInt(self.receive("\($0)", receiver)))
    } end: {
      _ = self.receive($0, receiver)
    }
    let cursor = InletCursor(owner, inlet)
    cursors[receiver] = cursor
    if let terms = terms?.possible(kind, backlog) {
      cursor.setTerms(
        terms.backlog.policy(ticks, terms.count), place: terms.joinPlace, label: nil,
        selection: selection)
    }
    owner.hub.join(cursor)
    cursor.request(Credit(rawValue: credit == 1_000_000 ? .max : UInt(credit)))
    whileTold.forEach(perform)
    cursor.begin()
  }

  private func attachSink(_ receiver: Int) {
    // One thread uses a world.
    nonisolated(unsafe) let world = self
    let closures = EndingSinkClosures<Int, String> {
      _ = world.receive("\($0)", receiver)
    } receiveCompletion: {
      _ = world.receive($0, receiver)
    }
    let cursor = SinkCursor(
      hub: .passUnretained(owner.hub), owner: .passRetained(owner), closures: closures)
    cursors[receiver] = cursor
    owner.hub.start(cursor, asking: .unlimited)
  }

  override func ask(_ receiver: Int, _ count: Int) {
    cursors[receiver]?.request(Credit(rawValue: UInt(count)))
  }
  override func cancel(_ receiver: Int) { cursors[receiver]?.cancel() }

  /// Releases every receiver.
  func tearDown() {
    // What a cancel makes room for is not part of the comparison.
    isTornDown = true
    cursors.values.forEach { $0.cancel() }
  }
}

extension Terms {
  fileprivate var joinPlace: JoinPlace<Int> {
    switch place {
    case .replay: .replay
    case .live: .live
    case .last: .last(Self.lastCount)
    case .after: .after(Self.knows, ifUnknown: .missed)
    case .afterOrReplay: .after(Self.knows, ifUnknown: .replay)
    case .afterOrNextStart: .after(Self.knows, ifUnknown: .nextStart)
    case .nextStart: .nextStart
    }
  }
}
