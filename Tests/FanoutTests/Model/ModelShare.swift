/// The contract of `multicast(replay:)` and its autoconnect in a few lines, without threads, logs or
/// sharing of storage: what one must get who runs a script.
final class ModelShare {
  struct Subscriber {
    let isAuto: Bool
    var demand = 0
    var owed: [Int] = []
    var log: [String] = []
    var isOn = true
  }

  private enum Work {
    case value(Int)
    case end
    case join(Int)
    case open
    case close
  }

  private let policy: Policy
  private let script: Script
  private(set) var subscribers: [Subscriber] = []
  private var attached: [Int] = []
  private var memory: [Int] = []
  private var isLive = false
  private var isEnded = false
  private var endIsApplied = false
  private var claimsByHand = 0
  private var autoSubscribers = 0
  private var queue: [Work] = []
  private var due: [Int] = []
  private var isDraining = false

  init(_ policy: Policy, _ script: Script) {
    self.policy = policy
    self.script = script
  }

  /// The values that must be alive when nothing is going on, and no others.
  var alive: Set<Int> {
    Set(policy.remembered(of: memory)).union(attached.flatMap { subscribers[$0].owed })
  }

  func subscribe(auto: Bool, demand: Int) {
    subscribers.append(Subscriber(isAuto: auto))
    let index = subscribers.count - 1
    if auto {
      autoSubscribers += 1
      openIfNeeded()
    }
    queue.append(.join(index))
    request(index, demand)
  }

  func send(_ value: Int) {
    guard isLive else { return }
    accept(.value(value))
  }

  func finish() {
    guard isLive else { return }
    isLive = false
    isEnded = true
    accept(.end)
  }

  func request(_ index: Int, _ count: Int) {
    guard subscribers.indices.contains(index), subscribers[index].isOn else { return }
    let (sum, overflows) = subscribers[index].demand.addingReportingOverflow(count)
    subscribers[index].demand = overflows ? .max : sum
    due.append(index)
    drain()
  }

  func cancel(_ index: Int) {
    guard subscribers.indices.contains(index), subscribers[index].isOn else { return }
    turnOff(index)
  }

  func connect() {
    guard !isEnded else { return }
    claimsByHand += 1
    openIfNeeded()
    drain()
  }

  func disconnect() {
    guard claimsByHand > 0 else { return }
    claimsByHand -= 1
    closeIfIdle()
  }

  private func turnOff(_ index: Int) {
    subscribers[index].isOn = false
    subscribers[index].owed = []
    attached.removeAll { $0 == index }
    guard subscribers[index].isAuto else { return }
    autoSubscribers -= 1
    closeIfIdle()
  }

  private func openIfNeeded() {
    guard !isLive, !isEnded else { return }
    isLive = true
    queue.append(.open)
  }

  private func closeIfIdle() {
    guard isLive, claimsByHand == 0, autoSubscribers == 0 else { return }
    isLive = false
    accept(.close)
  }

  private func accept(_ work: Work) {
    queue.append(work)
    drain()
  }

  private func drain() {
    guard !isDraining else { return }
    isDraining = true
    while true {
      // Who joins first: there may be a request that came with it.
      if case .join(let index)? = queue.first, due.contains(index) {
        queue.removeFirst()
        join(index)
      } else if !due.isEmpty, attached.contains(due[0]) || !subscribers[due[0]].isOn {
        flush(due.removeFirst())
      } else if !queue.isEmpty {
        apply(queue.removeFirst())
      } else {
        break
      }
    }
    isDraining = false
  }

  private func join(_ index: Int) {
    guard subscribers[index].isOn else { return }
    subscribers[index].owed = policy.remembered(of: memory)
    attached.append(index)
  }

  private func apply(_ work: Work) {
    switch work {
    case .join(let index): join(index)
    case .open, .close: memory = []
    case .end:
      endIsApplied = true
      for index in attached { flush(index) }
    case .value(let value):
      memory.append(value)
      for index in attached where subscribers[index].isOn {
        switch policy {
        case .none: if subscribers[index].demand > 0 { subscribers[index].owed = [value] }
        case .latest: subscribers[index].owed = [value]
        default: subscribers[index].owed.append(value)
        }
        flush(index)
      }
    }
  }

  private func flush(_ index: Int) {
    while subscribers[index].isOn, subscribers[index].demand > 0, !subscribers[index].owed.isEmpty {
      if subscribers[index].demand < .max { subscribers[index].demand -= 1 }
      let value = subscribers[index].owed.removeFirst()
      subscribers[index].log.append("\(value)")
      switch script.reaction(of: index, to: value) {
      case .nothing: break
      case .send(let next): send(next)
      case .cancel(let other): cancel(other)
      case .request(let other, let count): request(other, count)
      case .allow(let count):
        let (sum, overflows) = subscribers[index].demand.addingReportingOverflow(count)
        subscribers[index].demand = overflows ? .max : sum
      }
    }
    guard endIsApplied, subscribers[index].isOn, subscribers[index].owed.isEmpty else { return }
    subscribers[index].log.append("finished")
    turnOff(index)
  }
}
