import TestFixtures

/// The required behaviour of a hub, written as simply as the contract, with plain lists.
///
/// Values, ends, joins and connections are done one after another in the order of acceptance; asking
/// and cancelling act at once.
final class ReferenceWorld: World {
  private enum Work {
    case value(Int), end, join(Int), renew(opening: Bool)
  }

  private struct Owed {
    let number: Int
    /// The count of values before it; that of a replay is as high as if it came last.
    let place: Int
    let isReplay: Bool
  }

  private struct Receiver {
    var credit: Int
    var owed: [Owed] = []
    var isLimited = false
    var missed = 0
    /// The end that this receiver alone gets.
    var end: String?
    var isReady = false
    var isAttached = false
    var isStopped = false
  }

  private let kind: RetentionKind
  private let backlog: BacklogKind?
  private var passed = 0
  private var requestedEnd = 0
  private var requestedSum = 0
  private var isGateDue = false
  private var numbers: [Int] = []
  private var hasConnection = true
  private var receivers: [Int: Receiver] = [:]
  private var order: [Int] = []
  private var queue: [Work] = []
  private var due: [Int] = []
  private var isRunning = false
  private var current: Int? = 1
  private var opened = 1
  private var isEnding = false
  private var isEnded = false

  init(_ kind: RetentionKind, _ backlog: BacklogKind?, seed: UInt64) {
    self.kind = kind
    self.backlog = backlog
    super.init(seed: seed)
    isGateDue = true
    runOut()
  }

  override var requested: [Int] { [requestedSum] }
  override var missed: [Int: Int] {
    receivers.filter { $1.isLimited && $1.isAttached && !$1.isStopped }.mapValues(\.missed)
  }

  override func send(_ number: Int, from connection: Int) {
    if connection == current { leave(.value(number)) }
  }

  override func finish(from connection: Int) {
    guard connection == current else { return }
    (current, isEnding) = (nil, true)
    leave(.end)
  }

  override func open(_ connection: Int) {
    guard !isEnding, connection > opened else { return }
    (current, opened) = (connection, connection)
    leave(.renew(opening: true))
  }

  override func close(_ connection: Int) {
    guard connection == current else { return }
    current = nil
    leave(.renew(opening: false))
  }

  override func attach(_ receiver: Int, asking credit: Int, whileTold: [Operation]) {
    let isSink = credit == 1_000_000 && whileTold.isEmpty
    receivers[receiver] = Receiver(credit: credit, isLimited: backlog != nil && !isSink)
    receivers[receiver]?.isReady = isSink
    leave(.join(receiver))
    whileTold.forEach(perform)
    receivers[receiver]?.isReady = true
    see(to: receiver)
  }

  override func ask(_ receiver: Int, _ count: Int) {
    receivers[receiver]?.credit += count
    see(to: receiver)
  }

  override func cancel(_ receiver: Int) {
    receivers[receiver]?.isStopped = true
    isGateDue = true
    runOut()
  }

  private func leave(_ work: Work) {
    queue.append(work)
    runOut()
  }

  private func see(to receiver: Int) {
    due.append(receiver)
    runOut()
  }

  private func runOut() {
    guard !isRunning else { return }
    isRunning = true
    while true {
      if !due.isEmpty {
        run(due.removeFirst())
      } else if isGateDue {
        openGate()
      } else if !queue.isEmpty {
        perform(queue.removeFirst())
      } else {
        break
      }
    }
    isRunning = false
  }

  private func perform(_ work: Work) {
    switch work {
    case .value(let number):
      numbers.append(number)
      passed += 1
      for id in order { give(number, to: id) }
      isGateDue = true
    case .end:
      isEnded = true
      for id in order {
        // If the end overtakes, it does so for each receiver in turn: values that were not
        // requested by then are lost.
        if kind == .newestOvertaken, let receiver = receivers[id] {
          receivers[id]?.owed = Array(receiver.owed.prefix(receiver.credit))
        }
        run(id)
      }
    case .join(let id):
      isGateDue = true
      guard receivers[id]?.isStopped == false else { return }
      let isOvertaken = isEnded && kind == .newestOvertaken
      let replay = isOvertaken ? [] : kind.replay(after: numbers)
      receivers[id]?.owed = replay.enumerated().map {
        Owed(number: $1, place: passed - replay.count + $0, isReplay: true)
      }
      receivers[id]?.isAttached = true
      order.append(id)
      due.append(id)
    case .renew(let opening): (numbers, hasConnection) = ([], opening)
    }
  }

  private func give(_ number: Int, to id: Int) {
    guard let receiver = receivers[id], receiver.isAttached, !receiver.isStopped,
      receiver.end == nil
    else { return }
    let owed = Owed(number: number, place: passed - 1, isReplay: false)
    if receiver.isReady, receiver.owed.isEmpty, receiver.credit > 0 {
      deliver(number, to: id)
      return
    }
    switch kind {
    case _ where backlog != nil: receivers[id]?.owed.append(owed)
    case .replay(.none):
      // Only while it receives its subscription: the values that it has requested are owed to it.
      if !receiver.isReady, receiver.credit > receiver.owed.count {
        receivers[id]?.owed.append(owed)
      }
    case .replay(.latest), .newestOvertaken:
      // A value that was not requested is replaced.
      if receiver.isReady || receiver.credit < receiver.owed.count, !receiver.owed.isEmpty {
        receivers[id]?.owed.removeLast()
      }
      receivers[id]?.owed.append(owed)
    default: receivers[id]?.owed.append(owed)
    }
    run(id)
  }

  private func run(_ id: Int) {
    while let receiver = receivers[id], receiver.isAttached, receiver.isReady,
      !receiver.isStopped, receiver.credit > 0, let owed = receiver.owed.first
    {
      receivers[id]?.owed.removeFirst()
      deliver(owed.number, to: id)
    }
    keepWithinLimit(id)
    guard let receiver = receivers[id], receiver.isAttached, receiver.isReady,
      !receiver.isStopped, let end = receiver.end ?? (isEnded ? "end" : nil)
    else { return }
    guard receiver.owed.isEmpty || kind == .newestOvertaken else { return }
    receivers[id]?.isStopped = true
    isGateDue = true
    _ = receive(end, id)
  }

  private func keepWithinLimit(_ id: Int) {
    guard let backlog, let receiver = receivers[id], receiver.isReady, receiver.isLimited,
      !receiver.isStopped
    else { return }
    isGateDue = true
    let limit = BacklogKind.count
    var owed = receiver.owed
    switch backlog {
    case .unbounded, .waits: break
    case .dropsOldest: owed = Array(owed.suffix(limit))
    case .dropsNewest: owed = Array(owed.prefix(limit))
    case .ends:
      let live = owed.count { !$0.isReplay }
      guard live > limit else { return }
      owed = owed.dropLast(live - limit)
      receivers[id]?.end = "full"
    case .rejoins where kind == .snapshot && hasConnection:
      guard owed.count > limit, let newest = numbers.last else { return }
      // It stands for all that waited, which counts as missed.
      receivers[id]?.owed = [Owed(number: newest, place: passed - 1, isReplay: true)]
      receivers[id]?.missed += owed.count
      return
    case .rejoins:
      guard owed.count > limit else { return }
      // A newcomer starts with the oldest value of its replay, or behind everything.
      let isCache = [.replay(.custom), .snapshot].contains(kind)
      let replay = isCache ? [] : kind.replay(after: numbers)
      // Those of a closed connection are owed until there is a start in the next one.
      guard !replay.isEmpty || isCache || kind == .replay(.none) else { return }
      owed.removeAll { $0.place < passed - replay.count }
    }
    receivers[id]?.owed = owed
    receivers[id]?.missed += receiver.owed.count - owed.count
  }

  private func openGate() {
    isGateDue = false
    guard backlog == .waits, !isEnded else { return }
    let there = receivers.values.filter { $0.isAttached && !$0.isStopped }
    guard let least = there.map({ $0.isLimited ? $0.owed.count : 0 }).max() else { return }
    let (room, owed) = (BacklogKind.count - least, max(requestedEnd - passed, 0))
    guard room > owed else { return }
    requestedEnd = passed + room
    requestedSum += room - owed
  }

  private func deliver(_ number: Int, to id: Int) {
    receivers[id]?.credit -= 1
    let more = receive("\(number)", id)
    receivers[id]?.credit += more
  }
}
