import TestFixtures

/// The required behaviour of a hub, written as simply as the contract, with plain lists.
///
/// Values, ends, joins and connections are done one after another in the order of acceptance; asking
/// and cancelling act at once.
final class ReferenceWorld: World {
  private enum Work {
    case value(Int), end, join(Int), renew
  }

  private struct Receiver {
    var credit: Int
    var owed: [Int] = []
    var isReady = false
    var isAttached = false
    var isStopped = false
  }

  private let kind: RetentionKind
  private var numbers: [Int] = []
  private var receivers: [Int: Receiver] = [:]
  private var order: [Int] = []
  private var queue: [Work] = []
  private var due: [Int] = []
  private var isRunning = false
  private var current: Int? = 1
  private var opened = 1
  private var isEnding = false
  private var isEnded = false

  init(_ kind: RetentionKind, seed: UInt64) {
    self.kind = kind
    super.init(seed: seed)
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
    leave(.renew)
  }

  override func close(_ connection: Int) {
    guard connection == current else { return }
    current = nil
    leave(.renew)
  }

  override func attach(_ receiver: Int, asking credit: Int, whileTold: [Operation]) {
    receivers[receiver] = Receiver(credit: credit)
    leave(.join(receiver))
    whileTold.forEach(perform)
    receivers[receiver]?.isReady = true
    see(to: receiver)
  }

  override func ask(_ receiver: Int, _ count: Int) {
    receivers[receiver]?.credit += count
    see(to: receiver)
  }

  override func cancel(_ receiver: Int) { receivers[receiver]?.isStopped = true }

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
      for id in order { give(number, to: id) }
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
      guard receivers[id]?.isStopped == false else { return }
      let isOvertaken = isEnded && kind == .newestOvertaken
      receivers[id]?.owed = isOvertaken ? [] : kind.replay(after: numbers)
      receivers[id]?.isAttached = true
      order.append(id)
      due.append(id)
    case .renew: numbers = []
    }
  }

  private func give(_ number: Int, to id: Int) {
    guard let receiver = receivers[id], receiver.isAttached, !receiver.isStopped else { return }
    if receiver.isReady, receiver.owed.isEmpty, receiver.credit > 0 {
      deliver(number, to: id)
      return
    }
    switch kind {
    case .replay(.none):
      // Only while it receives its subscription: the values that it has requested are owed to it.
      if !receiver.isReady, receiver.credit > receiver.owed.count {
        receivers[id]?.owed.append(number)
      }
    case .replay(.latest), .newestOvertaken:
      // A value that was not requested is replaced.
      if receiver.isReady || receiver.credit < receiver.owed.count, !receiver.owed.isEmpty {
        receivers[id]?.owed.removeLast()
      }
      receivers[id]?.owed.append(number)
    default: receivers[id]?.owed.append(number)
    }
    run(id)
  }

  private func run(_ id: Int) {
    while let receiver = receivers[id], receiver.isAttached, receiver.isReady,
      !receiver.isStopped, receiver.credit > 0, let number = receiver.owed.first
    {
      receivers[id]?.owed.removeFirst()
      deliver(number, to: id)
    }
    guard isEnded, let receiver = receivers[id], receiver.isAttached, receiver.isReady,
      !receiver.isStopped
    else { return }
    guard receiver.owed.isEmpty || kind == .newestOvertaken else { return }
    receivers[id]?.isStopped = true
    _ = receive("end", id)
  }

  private func deliver(_ number: Int, to id: Int) {
    receivers[id]?.credit -= 1
    let more = receive("\(number)", id)
    receivers[id]?.credit += more
  }
}
