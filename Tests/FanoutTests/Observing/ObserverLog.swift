import Fanout
import FanoutTestSupport
import TestThreads

/// An observer that notes what it is told, and whether calls overlap.
final class ObserverLog: SharingObserver {
  /// The account of one subscriber, as it was told.
  struct Account {
    var label: String?
    var missed = 0
    var rejoins = 0
    var waiting = 0
    var calls = 0
    var hasLeft = false
  }

  private let notes = Notes<String>()
  private let told = Shared<[Int: Account]>([:])
  private let faults = Notes<String>()
  private let isInside = Shared(false)
  private let react: @Sendable (String) -> Void

  /// Makes a log that passes each line on to a closure, inside the call.
  init(react: @escaping @Sendable (String) -> Void = { _ in }) { self.react = react }

  var lines: [String] { notes.all }
  /// What must not happen: calls that overlap, and events in a wrong order.
  var mistakes: [String] { faults.all }
  /// The accounts by the numbers of the subscribers.
  var accounts: [Int: Account] { told.value }
  var allHaveLeft: Bool { told.value.values.allSatisfy(\.hasLeft) }

  private func note(_ line: String) {
    let overlaps = isInside.change { isInside in
      defer { isInside = true }
      return isInside
    }
    if overlaps { faults.append("\(line) inside of another call") }
    notes.append(line)
    react(line)
    isInside.value = false
  }

  private func note(
    _ line: String, _ subscriber: ObservedSubscriber, _ change: (inout Account) -> Void
  ) {
    let isWrong = told.change { told in
      guard told[subscriber.id]?.hasLeft == false else { return true }
      told[subscriber.id]?.calls += 1
      change(&told[subscriber.id, default: Account()])
      return false
    }
    if isWrong { faults.append("\(line) of a subscriber that is not there") }
    note("\(subscriber.label ?? "\(subscriber.id)") \(line)")
  }

  func connected(_ connection: Int) { note("connected \(connection)") }

  func ended(_ connection: Int, by end: ConnectionEnd) {
    switch end {
    case .finished: note("finished \(connection)")
    case .failed(let error): note("failed \(connection) \(type(of: error))")
    case .disconnected: note("disconnected \(connection)")
    }
  }

  func joined(_ subscriber: ObservedSubscriber) {
    let isSecond = told.change { told in
      defer { told[subscriber.id] = Account(label: subscriber.label) }
      return told[subscriber.id] != nil
    }
    if isSecond { faults.append("\(subscriber) joins twice") }
    note("\(subscriber.label ?? "\(subscriber.id)") joined")
  }

  func left(_ subscriber: ObservedSubscriber) { note("left", subscriber) { $0.hasLeft = true } }

  func missed(_ count: Int, by subscriber: ObservedSubscriber) {
    note("missed \(count)", subscriber) { $0.missed += count }
  }

  func rejoined(_ subscriber: ObservedSubscriber) {
    note("rejoined", subscriber) { $0.rejoins += 1 }
  }

  func waiting(_ count: Int, for subscriber: ObservedSubscriber) {
    note("waiting \(count)", subscriber) { $0.waiting = count }
  }
}
