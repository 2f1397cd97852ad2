/// A subscriber, with what it has got and what it will get.
final class ReferenceSubscriber {
  let label: String?
  let backlog: Terms.Backlog?
  private let terms: Terms
  private let isSink: Bool
  private let unwanted: Int?
  private let getsDeliveries: Bool
  private let returns: Int?
  private(set) var events: [Observation.Event] = []
  private var demand: Int
  private var queue = ReferenceQueue()
  /// The headers that come in front of the keyframe for which it waits.
  private var headers: [Int] = []
  /// The number of values that have gone by while it waits, which is told with the keyframe.
  private var gone = 0
  /// The end that comes behind what waits.
  private var end: Observation.Event?
  private(set) var waitsForKeyframe = false
  /// Whether the beginning of a connection is no keyframe to it.
  private var insistsOnKeyframe = false
  private(set) var rejoins = 0
  private var conflated = 0
  /// Whether one value waits for each key, until all are taken.
  private var isConflating = false
  /// Whether it has ever requested a value.
  private(set) var hasAsked = false
  /// Whether it has cancelled or got its end.
  private(set) var isOver = false

  init(_ name: Int, _ guest: Program.Guest, _ terms: Terms) {
    self.terms = terms
    isSink = guest.entrance == .sink
    getsDeliveries = guest.getsDeliveries
    returns = guest.returns
    demand = 0
    switch guest.entrance {
    case .sink, .plain: (label, backlog, unwanted) = (nil, terms.backlog, nil)
    case .joining(_, let own):
      (label, backlog, unwanted) = ("\(name)", own ?? terms.backlog, guest.unwanted)
    }
  }

  var account: Observation.Account {
    Observation.Account(
      label: label, waiting: queue.numbers.count,
      missed: terms.countsMissed(label) ? queue.missed + gone : 0, rejoins: rejoins,
      conflated: conflated)
  }

  /// The room for more values, if this subscriber sets the pace.
  var room: Int? {
    backlog?.whenFull == .wait ? backlog?.room(beside: queue.counted) : nil
  }

  /// Returns whether it takes a number.
  private func wants(_ number: Int) -> Bool { unwanted.map { !number.isMultiple(of: $0) } ?? true }

  /// Takes its place, and what it gets there.
  func join(_ place: Program.Guest.Place, _ memory: ReferenceMemory) {
    switch place {
    case .live: if !memory.hasBegun { wait(memory) }
    case .nextKeyframe:
      wait(memory)
      insistsOnKeyframe = true
    case .replay where memory.makesWait, .last where memory.makesWait: wait(memory)
    case .replay: start(memory.values, memory)
    case .last(let count):
      start(memory.values.filter(wants).suffix(count), memory)
      wantsReplay = !memory.values.isEmpty
    case .after(let number, let ifUnknown):
      // Where newcomers wait for a keyframe, the memory has no values.
      guard let index = memory.values.lastIndex(where: { $0 <= number }) else {
        if ifUnknown != .live { queue.append(.missed(nil)) }
        return join(ifUnknown.place, memory)
      }
      start(Array(memory.values[(index + 1)...]), memory)
    }
    queue.append(.caughtUp)
  }

  /// Whether it has come for something of the replay, headers in front of it aside; wanted or not.
  private(set) var wantsReplay = false

  /// Owes it a replay with the headers in front of it.
  private func start(_ numbers: [Int], _ memory: ReferenceMemory) {
    wantsReplay = !numbers.isEmpty
    for header in memory.headersInFront(of: numbers) where wants(header) {
      queue.append(.value(.init(number: header, isReplayed: true, isStart: true, isInFront: true)))
    }
    start(replay: numbers)
  }

  /// Owes it a replay.
  private func start(replay: [Int]) {
    for number in replay where wants(number) {
      queue.append(.value(.init(number: number, isReplayed: true, isStart: true)))
    }
  }

  /// Waits for a keyframe.
  private func wait(_ memory: ReferenceMemory) {
    waitsForKeyframe = true
    headers = memory.headers(before: .max).filter(wants)
  }

  /// Requests more values; nil for all.
  func request(_ count: Int?, _ memory: ReferenceMemory) {
    guard !isOver, !isSink || !hasAsked else { return }
    if count != 0 { hasAsked = true }
    demand = count.map { min(demand + $0, 1_000_000) } ?? 1_000_000
    deliver()
    rejoin(memory)
    deliver()
  }

  func cancel() { isOver = true }

  /// Takes a number that the memory has recorded.
  func receive(_ number: Int, _ memory: ReferenceMemory) {
    guard !isOver, end == nil else { return }
    if waitsForKeyframe {
      goBy(number)
    } else if wants(number) {
      take(ReferenceQueue.Value(number: number))
    }
    if wants(number) { rejoin(memory) }
    deliver()
  }

  /// Takes a number that comes while it waits for a keyframe.
  private func goBy(_ number: Int) {
    if Number.isKeyframe(number) {
      stopWaiting()
      takeHeaders()
      // What it has requested of these does not wait.
      deliver()
      if wants(number) { take(ReferenceQueue.Value(number: number)) }
      return
    }
    if terms.isHeaded, let key = Number.headerKey(number) {
      headers.removeAll { Number.headerKey($0) == key }
      if wants(number) { headers.append(number) }
    }
    if wants(number) { gone += 1 }
  }

  /// Notes what has gone by, and waits no longer.
  private func stopWaiting() {
    if gone > 0 { queue.miss(gone) }
    (waitsForKeyframe, insistsOnKeyframe, gone) = (false, false, 0)
  }

  /// Takes the headers for which it waits: its start, or values like others behind earlier ones.
  private func takeHeaders() {
    let isStart = queue.counted.isEmpty
    for header in headers where end == nil {
      var value = ReferenceQueue.Value(number: header, isInFront: true, isAccounted: false)
      if isStart {
        value.isStart = true
        queue.append(.value(value))
      } else {
        take(value)
      }
    }
    headers = []
  }

  /// Takes the headers for which it waits, because nothing is kept.
  func receiveClear() {
    guard !isOver, waitsForKeyframe else { return }
    takeHeaders()
    if end != nil { stopWaiting() }
    deliver()
  }

  /// Takes a value as its backlog says.
  private func take(_ value: ReferenceQueue.Value) {
    guard end == nil else { return }
    let item = ReferenceQueue.Item.value(value)
    // What it has requested does not wait, so that no limit holds for that.
    let mayTakeAtOnce = demand > 0
    let isFull =
      !mayTakeAtOnce && backlog?.isExceeded(by: queue.counted + [value.number]) == true
    if queue.counted.isEmpty { isConflating = false }
    switch backlog?.whenFull {
    case nil where backlog == nil && terms.replay == .none && !terms.isHeaded && !mayTakeAtOnce:
      queue.miss()
    case nil where backlog == nil && terms.replay == .latest && !terms.isHeaded:
      queue.drop { _ in true }
      queue.append(item)
    case .dropNewest where isFull: if value.isAccounted { queue.miss() }
    case .customError where isFull:
      if value.isAccounted { queue.miss() }
      end = .failed(.tooSlow)
    case .dropOldest where isFull:
      queue.append(item)
      while backlog?.isExceeded(by: queue.counted) == true { queue.dropOldest() }
    case .conflate where isFull || isConflating:
      queue.append(item)
      isConflating = true
      conflated += queue.conflate(by: Number.stateKey)
    default: queue.append(item)
    }
    deliver()
  }

  /// Goes on where a newcomer would start, if its backlog says so.
  private func rejoin(_ memory: ReferenceMemory) {
    guard let backlog, backlog.whenFull == .rejoin, backlog.isExceeded(by: queue.counted) else {
      return
    }
    if [.none, .undelivered, .custom, .latestByKey].contains(terms.replay) {
      guard queue.items.contains(where: { $0.value?.isLater == true }) else { return }
      let kept = terms.replay.hasOwnCache ? [] : memory.headers(before: .max)
      let keepsStart = terms.replay != .none
      queue.begin(at: .max, isAhead: !keepsStart) {
        keepsStart && $0.isStart || kept.contains($0.number)
      }
    } else if memory.makesWait && memory.hasBegun {
      guard backlog.isExceeded(by: queue.countedOfConnection) else { return }
      headers = memory.headers(before: .max).filter(queue.numbers.contains)
      queue.begin(at: .max, isAhead: true) { _ in false }
      waitsForKeyframe = true
    } else if let first = memory.values.first, first > queue.place {
      let kept = memory.headed(memory.values)
      queue.begin(at: first, isAhead: true) { kept.contains($0.number) }
    } else if memory.isCleared,
      !queue.hasOld || backlog.isExceeded(by: queue.countedOfConnection)
    {
      queue.begin(at: .max, isAhead: true) { _ in false }
    } else {
      return
    }
    rejoins += 1
  }

  /// Takes the end of the upstream.
  func receive(_ end: Terms.End, _ memory: ReferenceMemory) {
    guard !isOver, self.end == nil else { return }
    rejoin(memory)
    headers = []
    stopWaiting()
    self.end = end == .finished ? .finished : .failed(.upstream)
    deliver()
  }

  /// Takes the close of a connection.
  func leaveConnection() {
    queue.leaveConnection()
    headers = []
  }

  /// Takes the beginning of a connection.
  func enterConnection(_ memory: ReferenceMemory) {
    if memory.hasBegun && !insistsOnKeyframe {
      headers = []
      stopWaiting()
      deliver()
    } else {
      waitsForKeyframe = true
    }
  }

  /// Gets what waits, as far as it has asked for it, and then the end.
  private func deliver() {
    while let item = queue.items.first {
      if !getsDeliveries, item.number == nil {
        _ = queue.takeFirst()
        continue
      }
      guard demand > 0 else { return }
      demand -= 1
      _ = queue.takeFirst()
      switch item {
      case .value(let value): events.append(event(value))
      case .missed(let count): events.append(.missed(count))
      case .caughtUp: events.append(.caughtUp)
      }
      if let returns, events.count.isMultiple(of: returns) { demand += 1 }
    }
    guard let end, !isOver else { return }
    events.append(end)
    isOver = true
  }

  private func event(_ value: ReferenceQueue.Value) -> Observation.Event {
    guard getsDeliveries else { return .value(value.number) }
    return value.isReplayed ? .replayed(value.number) : .live(value.number)
  }
}
