internal import Fanout

/// A subscription to an upstream that the program drives.
///
/// It calls its subscriber as the contract demands: one call at a time, and nothing after the end.
/// Its conduct determines how it treats demand and a cancel.
final class DrivenSubscription: Subscription {
  typealias Receiver = any Subscriber<Item, Failed>

  private enum Entry {
    case value(Item)
    case end(Subscribers.Completion<Failed>)
  }

  private let number: Int
  private let conduct: Chain.Conduct
  private let play: Play
  private var subscriber: Receiver?
  private var entries: [Entry] = []
  private var demand = Subscribers.Demand.none
  private var hasEnd = false
  private var hasBegun = false
  private var isTold = false
  private var isBusy = false
  private var isOver = false

  init(_ subscriber: Receiver, _ conduct: Chain.Conduct, number: Int, in play: Play) {
    self.subscriber = subscriber
    self.conduct = conduct
    self.number = number
    self.play = play
  }

  func begin() {
    hasBegun = true
    subscriber?.receive(subscription: self)
    isTold = true
    deliver()
  }

  func send(_ number: Int) {
    if subscriber != nil, !hasEnd { add(.value(play.item(number))) }
  }

  func end(_ completion: Subscribers.Completion<Failed>) {
    guard subscriber != nil, !hasEnd else { return }
    hasEnd = true
    add(.end(completion))
  }

  func request(_ more: Subscribers.Demand) {
    if more == .none { play.observed.sources[number].requestsOfNothing += 1 }
    note(more)
    deliver()
  }

  func cancel() {
    play.observed.sources[number].cancels += 1
    isOver = true
    if !conduct.ignoresCancel { letGo() }
    _ = play.react(to: .cancelled(number))
  }

  func letGo() {
    let old = (subscriber, entries)
    subscriber = nil
    entries = []
    withExtendedLifetime(old) {}
  }

  private func add(_ entry: Entry) {
    entries.append(entry)
    deliver()
  }

  private func note(_ more: Subscribers.Demand) {
    demand += more
    guard !isOver, more > .none else { return }
    let before = play.observed.sources[number].asked
    let asked = before + more
    play.observed.sources[number].asked = asked
    for count in 1...3 where before < .max(count) && asked >= .max(count) {
      _ = play.react(to: .asked(number, count))
    }
  }

  private func deliver() {
    guard !isBusy, isTold || hasBegun && conduct.isEager else { return }
    isBusy = true
    defer { isBusy = false }
    while let subscriber, let entry = entries.first {
      switch entry {
      case .value(let item):
        if demand == .none {
          if conduct.pace == .waits { return }
          if conduct.pace == .drops {
            entries.removeFirst()
            continue
          }
        }
        entries.removeFirst()
        demand -= 1
        note(subscriber.receive(item))
      case .end(let completion):
        isOver = true
        letGo()
        subscriber.receive(completion: completion)
      }
    }
  }
}

/// An upstream that the program drives.
struct DrivenPublisher: Publisher {
  typealias Output = Item
  typealias Failure = Failed

  let conduct: Chain.Conduct
  let play: Play

  func receive<S: Subscriber>(subscriber: S) where S.Input == Item, S.Failure == Failed {
    play.attach(subscriber, conduct)
  }
}
