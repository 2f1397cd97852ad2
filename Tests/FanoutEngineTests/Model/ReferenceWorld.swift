import TestFixtures

/// The required behaviour of a hub, written as simply as the contract, with plain lists.
///
/// Values, ends, joins and connections are done one after another in the order of acceptance; asking
/// and cancelling act at once.
final class ReferenceWorld: World {
  private enum Work {
    case value(Int), end, join(Int), renew(opening: Bool), upstream, clear
  }

  private struct Owed {
    let number: Int
    /// The count of values before it; that of a replay is as high as if it came last.
    let place: Int
    let isReplay: Bool
    /// The time at which it began to wait.
    var since = 0
  }

  private struct Receiver {
    var credit: Int
    var owed: [Owed] = []
    /// What its backlog does, and how many values may wait; nil without any policy, and for a sink that cannot wait for
    /// a start.
    var policy: (backlog: BacklogKind, count: Int)?
    var place = Terms.Place.replay
    var missed = 0
    /// Whether it takes only some values.
    var selects = false
    /// The number of values that have gone by while it waits for a start; nil if it does not.
    var gone: Int?
    /// Whether one value waits for each key, until it has taken all.
    var isConflating = false
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
  private var hasUpstream = true
  private var isUpstreamRequestDue = false
  private var numbers: [Int] = []
  private var hasConnection = true
  /// The count of values before those of the connection.
  private var openedAt = 0
  /// Whether newcomers wait for the next keyframe.
  private var isExceeded = false
  private var receivers: [Int: Receiver] = [:]
  private var order: [Int] = []
  private var queue: [Work] = []
  private var due: [Int] = []
  private var isRunning = false
  private var current: Int? = 1
  private var opened = 1
  private var isEnding = false
  private var isEnded = false

  init(_ kind: RetentionKind, _ backlog: BacklogKind?, seed: UInt64, budget: Int = 30) {
    self.kind = kind
    self.backlog = backlog
    super.init(seed: seed, budget: budget)
    isUpstreamRequestDue = true
    runOut()
  }

  override var requested: [Int] { [requestedSum] }
  override var missed: [Int: Int] {
    receivers.filter { $1.policy != nil && $1.isAttached && !$1.isStopped }.mapValues {
      $0.missed + ($0.gone ?? 0)
    }
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
    if !isEnding, connection > opened {
      (current, opened) = (connection, connection)
      leave(.renew(opening: true))
    }
    if connection == current { leave(.upstream) }
  }

  override func close(_ connection: Int) {
    guard connection == current else { return }
    current = nil
    leave(.renew(opening: false))
  }

  override func clear() { leave(.clear) }

  override func attach(
    _ receiver: Int, asking credit: Int, on terms: Terms?, whileTold: [Operation]
  ) {
    let isSink = credit == 1_000_000 && whileTold.isEmpty && terms == nil
    receivers[receiver] = Receiver(credit: credit)
    if let terms = terms?.possible(kind, backlog) {
      receivers[receiver]?.policy = (terms.backlog, terms.count)
      receivers[receiver]?.place = terms.place
      receivers[receiver]?.selects = terms.selects
    } else if let backlog, !isSink || kind == .replay(.sinceKeyframe) {
      // A sink never lags, but it misses what passes while it waits for a keyframe.
      receivers[receiver]?.policy = (backlog, BacklogKind.count)
    }
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
    isUpstreamRequestDue = true
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
      } else if isUpstreamRequestDue {
        requestFromUpstream()
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
      let isStart = kind == .replay(.sinceKeyframe) && Policy.isKeyframe(number)
      if isStart {
        isExceeded = false
        order.forEach(start)
      }
      if !isExceeded { numbers.append(number) }
      passed += 1
      for id in order { give(number, to: id) }
      isUpstreamRequestDue = true
    case .end:
      isEnded = true
      for id in order {
        // If the end overtakes, it does so for each receiver in turn: values that were not
        // requested by then are lost.
        if kind == .newestOvertaken, let receiver = receivers[id], receiver.policy == nil {
          receivers[id]?.owed = Array(receiver.owed.prefix(receiver.credit))
        }
        run(id)
      }
    case .join(let id):
      isUpstreamRequestDue = true
      guard receivers[id]?.isStopped == false else { return }
      let isOvertaken = isEnded && kind == .newestOvertaken
      let replay = isOvertaken ? [] : kind.replay(after: numbers)
      let place = placeOfJoin(receivers[id]?.place ?? .replay, replay)
      receivers[id]?.place = place
      if place == .nextStart || isExceeded && place != .live {
        receivers[id]?.gone = 0
      } else {
        let first = passed - replay.count
        let owed = joining(id, replay, at: place).map {
          Owed(number: $0.element, place: first + $0.offset, isReplay: true)
        }
        receivers[id]?.owed = owed
      }
      receivers[id]?.isAttached = true
      order.append(id)
      due.append(id)
    case .renew(let opening):
      (numbers, hasConnection, isExceeded, openedAt) = ([], opening, false, passed)
      hasUpstream = false
      // The beginning of a connection is a start, but no keyframe.
      for id in order where opening && receivers[id]?.place != .nextStart { start(id) }
    case .upstream:
      (hasUpstream, requestedEnd, isUpstreamRequestDue) = (true, passed, true)
    case .clear:
      guard kind != .snapshot else { return }
      numbers = []
      isExceeded = kind == .replay(.sinceKeyframe)
    }
  }

  /// The part of a replay that a receiver gets at the place where it joins, with the places in it.
  private func joining(
    _ id: Int, _ replay: [Int], at place: Terms.Place
  ) -> [(offset: Int, element: Int)] {
    let all = Array(replay.enumerated())
    let taken = all.filter { takes($0.element, id) }
    switch place {
    case .replay: return taken
    case .live, .nextStart: return []
    case .last: return taken.suffix(Terms.lastCount)
    case .after, .afterOrReplay, .afterOrNextStart:
      guard let known = replay.lastIndex(where: Terms.knows) else { return [] }
      return taken.filter { $0.offset > known }
    }
  }

  /// Returns whether a receiver takes a number.
  private func takes(_ number: Int, _ id: Int) -> Bool {
    receivers[id]?.selects != true || Terms.takes(number)
  }

  /// The place at which a receiver joins that may want to join behind a value of the replay.
  private func placeOfJoin(_ place: Terms.Place, _ replay: [Int]) -> Terms.Place {
    guard isExceeded || !replay.contains(where: Terms.knows) else { return place }
    return switch place {
    case .after: .live
    case .afterOrReplay: .replay
    case .afterOrNextStart: .nextStart
    case .replay, .live, .last, .nextStart: place
    }
  }

  /// Lets a receiver start that waits for it.
  private func start(_ id: Int) {
    guard let receiver = receivers[id], receiver.isAttached, !receiver.isStopped,
      let gone = receiver.gone
    else { return }
    receivers[id]?.gone = nil
    receivers[id]?.place = .replay
    receivers[id]?.missed += gone
  }

  private func give(_ number: Int, to id: Int) {
    guard let receiver = receivers[id], receiver.isAttached, !receiver.isStopped,
      receiver.end == nil, takes(number, id)
    else { return }
    if let gone = receiver.gone {
      receivers[id]?.gone = gone + 1
      return
    }
    let owed = Owed(number: number, place: passed - 1, isReplay: false, since: ticks.now)
    if receiver.isReady, receiver.owed.isEmpty, receiver.credit > 0 {
      deliver(number, to: id)
      return
    }
    switch kind {
    case _ where backlog != nil || receiver.policy != nil: receivers[id]?.owed.append(owed)
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
    dropOld(id)
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
    let isOvertaken = kind == .newestOvertaken && receiver.policy == nil
    guard receiver.owed.isEmpty || isOvertaken else { return }
    receivers[id]?.isStopped = true
    isUpstreamRequestDue = true
    _ = receive(end, id)
  }

  private func keepWithinLimit(_ id: Int) {
    guard let receiver = receivers[id], let policy = receiver.policy, receiver.isReady,
      !receiver.isStopped
    else { return }
    isUpstreamRequestDue = true
    // What is left of the replay does not count.
    let live = receiver.owed.filter { !$0.isReplay }
    if live.isEmpty { receivers[id]?.isConflating = false }
    let excess = excess(of: live, policy)
    guard excess > 0 || receiver.isConflating, receiver.end == nil else { return }
    let replay = receiver.owed.filter { $0.isReplay }
    var owed = receiver.owed
    switch policy.backlog {
    case .unbounded, .waits: break
    case .conflates:
      receivers[id]?.isConflating = true
      receivers[id]?.owed = replay + conflated(live)
      return
    case .dropsOldest, .dropsCostly, .dropsOld: owed = replay + live.dropFirst(excess)
    case .dropsNewest: owed = replay + live.dropLast(excess)
    case .ends:
      owed = replay + live.dropLast(excess)
      receivers[id]?.end = "full"
    case .rejoins where kind == .snapshot && hasConnection:
      guard let newest = numbers.last else { return }
      // It stands for all that waited, which counts as missed.
      let start = Owed(number: newest, place: passed - 1, isReplay: false)
      let takesIt = takes(newest, id)
      receivers[id]?.owed = takesIt ? [start] : []
      receivers[id]?.missed += owed.count
      return
    case .rejoins where [.replay(.custom), .snapshot].contains(kind):
      // Nobody knows whether its contents lie ahead: what stands for them stays.
      owed = replay
    case .rejoins where isExceeded:
      // Those of a closed connection are owed until there is a start in the next one, or too many of that wait too.
      let count = owed.count { $0.place >= openedAt }
      guard count == owed.count || count > policy.count else { return }
      receivers[id]?.gone = 0
      owed = []
    case .rejoins:
      // A newcomer starts with the oldest value of its replay, or behind everything.
      let isOvertaken = isEnded && kind == .newestOvertaken
      let newest = isOvertaken ? [] : kind.replay(after: numbers)
      if newest.isEmpty, kind != .replay(.none) {
        // Those of a closed connection are owed until there is a start in the next one, or too many of that wait behind
        // which newcomers start because the replay was cleared.
        let count = owed.count { $0.place >= openedAt }
        let isCleared =
          passed > openedAt && kind != .replay(.sinceKeyframe) && kind != .newestOvertaken
        guard isCleared, count == owed.count || count > policy.count else { return }
      }
      owed.removeAll { $0.place < passed - newest.count }
    }
    receivers[id]?.owed = owed
    receivers[id]?.missed += receiver.owed.count - owed.count
  }

  /// The number of the oldest, or newest, of the values that wait which are too many, too costly or too old.
  private func excess(of live: [Owed], _ policy: (backlog: BacklogKind, count: Int)) -> Int {
    switch policy.backlog {
    case .dropsCostly:
      let limit = BacklogKind.limit(policy.count)
      return (0...live.count).first { first in
        live[first...].reduce(0) { $0 + BacklogKind.cost(of: $1.number) } <= limit
      } ?? 0
    // The ages are looked at when a value comes.
    case .dropsOld: return live.count { (live.last?.since ?? 0) - $0.since > 1 }
    default: return live.count - policy.count
    }
  }

  /// Drops what has become too old for a receiver that is about to take values.
  private func dropOld(_ id: Int) {
    guard let receiver = receivers[id], receiver.policy?.backlog == .dropsOld, receiver.isReady,
      receiver.isAttached, !receiver.isStopped, receiver.credit > 0
    else { return }
    let kept = receiver.owed.filter { $0.isReplay || ticks.now - $0.since <= 1 }
    receivers[id]?.owed = kept
    receivers[id]?.missed += receiver.owed.count - kept.count
  }

  /// The newest of these values for each key, in the place of the first.
  private func conflated(_ live: [Owed]) -> [Owed] {
    var kept: [Owed] = []
    for owed in live {
      let key = BacklogKind.key(of: owed.number)
      if let index = kept.firstIndex(where: { BacklogKind.key(of: $0.number) == key }) {
        kept[index] = owed
      } else {
        kept.append(owed)
      }
    }
    return kept
  }

  private func requestFromUpstream() {
    isUpstreamRequestDue = false
    guard backlog == .waits, !isEnded else { return }
    let there = receivers.values.filter { $0.isAttached && !$0.isStopped }
    guard !there.isEmpty else { return }
    // Those whose backlogs do not wait hold nothing back.
    let rooms = there.compactMap { receiver -> Int? in
      guard let policy = receiver.policy else { return BacklogKind.count }
      guard policy.backlog == .waits else { return nil }
      return policy.count - receiver.owed.count { !$0.isReplay }
    }
    let (room, owed) = (rooms.min() ?? BacklogKind.count, max(requestedEnd - passed, 0))
    guard room > owed else { return }
    requestedEnd = passed + room
    if hasUpstream { requestedSum += room - owed }
  }

  private func deliver(_ number: Int, to id: Int) {
    receivers[id]?.credit -= 1
    let more = receive("\(number)", id)
    receivers[id]?.credit += more
  }
}
