/// A subscriber, with what it has got and what it will get.
final class ReferenceSubscriber {
  /// A header that comes in front of the keyframe for which a subscriber waits.
  private struct Header {
    let number: Int
    /// Whether it is in the account: not if it is older than the subscriber.
    let counts: Bool
  }

  let label: String?
  private(set) var hasAccount: Bool
  let backlog: Terms.Backlog?
  private let terms: Terms
  private let getsDeliveries: Bool
  private(set) var events: [Observation.Event] = []
  private var demand: Int
  private var queue = ReferenceQueue()
  private var headers: [Header] = []
  private var end: Observation.Event?
  private(set) var waitsForKeyframe = false
  private(set) var rejoins = 0
  private(set) var hasAsked = false
  /// Whether it has cancelled or got its end.
  private(set) var isOver = false

  init(_ name: Int, _ guest: Program.Guest, _ terms: Terms) {
    self.terms = terms
    getsDeliveries = guest.getsDeliveries
    demand = 0
    switch guest.entrance {
    case .sink: (label, hasAccount, backlog) = (nil, false, terms.backlog)
    case .plain:
      label = nil
      hasAccount = terms.backlog != nil || guest.getsDeliveries
      backlog = terms.backlog
    case .joining(_, let own): (label, hasAccount, backlog) = ("\(name)", true, own ?? terms.backlog)
    }
  }

  var account: Observation.Account {
    Observation.Account(
      label: label, waiting: queue.numbers.count, missed: queue.missed, rejoins: rejoins)
  }

  /// The room for more values, if this subscriber sets the pace.
  var room: Int? {
    guard case .size(let count, .wait) = backlog else { return nil }
    return count - queue.counted
  }

  // MARK: Joining

  func join(_ place: Program.Guest.Place, _ memory: ReferenceMemory) {
    var isKnown = true
    switch place {
    case .live: if !memory.hasBegun { wait(memory) }
    case .nextKeyframe: wait(memory)
    case .replay where memory.makesWait, .last where memory.makesWait: wait(memory)
    case .after where memory.makesWait:
      isKnown = false
      wait(memory)
    case .replay: start(memory.headed(memory.values))
    case .last(let count): start(memory.headed(memory.values.suffix(count)))
    case .after(let number):
      if let index = memory.values.lastIndex(where: { $0 <= number }) {
        start(memory.headed(Array(memory.values[(index + 1)...])))
      } else {
        isKnown = false
        start(memory.headed(memory.values))
      }
    }
    var items = queue.items
    if !isKnown { items.insert(.missed(nil), at: 0) }
    queue = ReferenceQueue()
    for item in items { queue.append(item) }
    queue.append(.caughtUp)
  }

  /// Whether some of these numbers wait for it.
  func lacks(_ numbers: [Int]) -> Bool { queue.numbers.contains(where: numbers.contains) }

  private func start(_ numbers: [Int]) {
    for number in numbers { queue.append(.value(number, isReplayed: true, isStart: true)) }
  }

  private func wait(_ memory: ReferenceMemory) {
    waitsForKeyframe = true
    headers = memory.headers(before: .max).map { Header(number: $0, counts: false) }
  }

  // MARK: What happens to it

  func request(_ count: Int?, _ memory: ReferenceMemory) {
    guard !isOver else { return }
    if count != 0 { hasAsked = true }
    demand = count.map { min(demand + $0, 1_000_000) } ?? 1_000_000
    rejoin(memory)
    deliver()
  }

  func cancel() { isOver = true }

  /// Takes a number that the memory has recorded.
  func receive(_ number: Int, _ memory: ReferenceMemory) {
    guard !isOver, end == nil else { return }
    if waitsForKeyframe {
      goBy(number)
    } else {
      take(number)
    }
    rejoin(memory)
    deliver()
  }

  /// Takes a number that comes while it waits for a keyframe.
  private func goBy(_ number: Int) {
    if Number.isKeyframe(number) {
      waitsForKeyframe = false
      takeHeaders()
      take(number)
    } else if terms.isHeaded, let key = Number.headerKey(number) {
      for header in headers where Number.headerKey(header.number) == key && header.counts {
        queue.miss()
      }
      headers.removeAll { Number.headerKey($0.number) == key }
      headers.append(Header(number: number, counts: true))
    } else {
      queue.miss()
    }
  }

  private func takeHeaders() {
    let isStart = queue.numbers.isEmpty
    for header in headers {
      queue.append(.value(header.number, isReplayed: false, isStart: isStart))
    }
    headers = []
  }

  /// Takes the headers for which it waits, because nothing is kept.
  func receiveClear() {
    guard !isOver, waitsForKeyframe else { return }
    takeHeaders()
    deliver()
  }

  private func take(_ number: Int) {
    let item = ReferenceQueue.Item.value(number, isReplayed: false, isStart: false)
    let mayTakeAtOnce = demand > 0
    switch backlog {
    case nil where terms.replay == .none && !terms.isHeaded && !mayTakeAtOnce: queue.miss()
    case nil where terms.replay == .latest && !terms.isHeaded:
      queue.drop { _ in true }
      queue.append(item)
    case .size(let count, .dropNewest) where queue.counted >= count && !mayTakeAtOnce: queue.miss()
    case .size(let count, .customError) where queue.counted >= count && !mayTakeAtOnce:
      queue.miss()
      end = .failed(.tooSlow)
    case .size(let count, .dropOldest):
      queue.append(item)
      deliver()
      if queue.counted > count { queue.dropOldest() }
    default: queue.append(item)
    }
    deliver()
  }

  /// Goes on where a newcomer would start, if its backlog says so.
  private func rejoin(_ memory: ReferenceMemory) {
    guard case .size(let count, .rejoin) = backlog, queue.counted > count else { return }
    guard let place = queue.numbers.first else { return }
    if [.none, .undelivered, .custom, .latestByKey].contains(terms.replay) {
      let kept = Set(memory.headers(before: .max).filter { $0 >= place })
      queue.drop { item in item.counts && !kept.contains(item.number ?? 0) }
      if !kept.isEmpty { queue.begin() }
    } else if memory.makesWait && memory.hasBegun {
      let kept = memory.headers(before: .max).filter(queue.numbers.contains)
      queue.drop { _ in true }
      headers = kept.map { Header(number: $0, counts: true) }
      waitsForKeyframe = true
    } else if let first = memory.values.first, first > place {
      let kept = Set(memory.headed(memory.values))
      queue.drop { !kept.contains($0.number ?? 0) }
      queue.begin()
    } else {
      return
    }
    rejoins += 1
  }

  /// Takes the end of the upstream.
  func receive(_ end: Terms.End, _ memory: ReferenceMemory) {
    guard !isOver, self.end == nil else { return }
    rejoin(memory)
    leaveHeaders()
    waitsForKeyframe = false
    self.end = end == .finished ? .finished : .failed(.upstream)
    deliver()
  }

  /// Misses the headers for which no keyframe can come.
  private func leaveHeaders() {
    for header in headers where header.counts { queue.miss() }
    headers = []
  }

  /// Takes the beginning of a connection.
  func enterConnection(_ memory: ReferenceMemory) {
    if !memory.hasBegun { waitsForKeyframe = true }
  }

  // MARK: What it gets

  private func deliver() {
    while let item = queue.items.first {
      if !getsDeliveries, item.number == nil {
        _ = queue.takeFirst()
        continue
      }
      // What goes by while it waits is one gap, which is told with the keyframe.
      let mayGrow = waitsForKeyframe && queue.items.count == 1 && item != .caughtUp
      guard demand > 0, !mayGrow || item.number != nil else { return }
      demand -= 1
      _ = queue.takeFirst()
      switch item {
      case .value(let number, let isReplayed, _):
        events.append(
          getsDeliveries ? isReplayed ? .replayed(number) : .live(number) : .value(number))
      case .missed(let count): events.append(.missed(count))
      case .caughtUp: events.append(.caughtUp)
      }
    }
    guard let end else { return }
    events.append(end)
    isOver = true
  }
}
