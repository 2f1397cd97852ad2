internal import Fanout
internal import FanoutTestSupport

/// A shared publisher of Fanout, which performs the steps of a program.
package final class FanoutSharing {
  private typealias Failure = Observation.Failure

  /// A subscriber, as far as a program uses it.
  private struct Guest {
    let name: Int
    var request: (Int) -> Void
    var cancel: () -> Void
  }

  /// An observer that changes nothing; with one, every account is kept from the beginning.
  private struct SilentObserver: SharingObserver {}

  private let terms: Terms
  private let upstream: TestPublisher<Int, Failure>
  private let shared: any SharedPublisher<Int, Failure>
  private var connectable: (() -> any Cancellable)?
  private var guests: [Guest] = []
  private var records: [EventRecord] = []
  private var claims: [any Cancellable] = []
  /// The number of values that each connection has sent.
  private var sent: [Int] = []

  package init(_ terms: Terms) {
    self.terms = terms
    upstream = TestPublisher(ignoresCancel: terms.ignoresCancel)
    let (replay, restart) = (terms.fanoutReplay, terms.fanoutRestart)
    let backlog = terms.backlog?.fanoutBacklog
    switch terms.kind {
    case .sharedUntilReleased:
      shared = upstream.share(
        replay: replay, disconnect: .whenReleased, restart: restart, backlog: backlog,
        observer: SilentObserver())
    case .sharedWhileUsed:
      shared = upstream.share(replay: replay, restart: restart, backlog: backlog)
    case .autoconnected, .byHand:
      let observer = terms.kind == .byHand ? SilentObserver() : nil
      let multicast = upstream.multicast(
        replay: replay, restart: restart, backlog: backlog, observer: observer)
      connectable = { multicast.connect() }
      if terms.kind == .byHand { shared = multicast } else { shared = multicast.autoconnect() }
    }
  }

  /// Performs a step of a program.
  package func perform(_ step: Program.Step) {
    switch step {
    case .send(let number): send(number)
    case .end(let end):
      upstream.send(completion: end == .finished ? .finished : .failure(.upstream))
    case .subscribe(let name, let guest): subscribe(name, guest)
    case .request(let name, let count): guests.first { $0.name == name }?.request(count)
    case .cancel(let name): guests.first { $0.name == name }?.cancel()
    case .reconnect: shared.reconnect()
    case .clearReplay: shared.clearReplay()
    case .connect: if let claim = connectable?() { claims.append(claim) }
    case .dropClaim(let index):
      if claims.indices.contains(index) { claims.remove(at: index).cancel() }
    }
  }

  private func send(_ number: Int) {
    let asked = asked
    sent += Array(repeating: 0, count: asked.count - sent.count)
    if terms.isPolite, let last = sent.last, let demand = asked[sent.count - 1], last >= demand {
      return
    }
    if !sent.isEmpty { sent[sent.count - 1] += 1 }
    upstream.send(number)
  }

  private func subscribe(_ name: Int, _ guest: Program.Guest) {
    switch guest.entrance {
    case .sink: sink(name)
    case .plain: subscribe(name, guest, to: shared)
    case .joining(let place, let backlog):
      subscribe(
        name, guest,
        to: shared.joiningAsAny(place, guest.unwanted, backlog, label: "\(name)"))
    }
  }

  private func subscribe(
    _ name: Int, _ guest: Program.Guest, to publisher: any SharedPublisher<Int, Failure>
  ) {
    let record = EventRecord()
    records.append(record)
    if guest.getsDeliveries {
      let subscriber = FanoutSubscriber<Delivery<Int>>(
        guest, record: record, event: Observation.Event.init)
      publisher.subscribeToDeliveries(subscriber)
      guests.append(Guest(name: name, request: subscriber.request, cancel: subscriber.cancel))
    } else {
      let subscriber = FanoutSubscriber<Int>(
        guest, record: record, event: Observation.Event.value)
      publisher.receive(subscriber: subscriber)
      guests.append(Guest(name: name, request: subscriber.request, cancel: subscriber.cancel))
    }
  }

  private func sink(_ name: Int) {
    let record = EventRecord()
    records.append(record)
    let sink = shared.sinkAsAny(
      receiveCompletion: { record.note(Observation.Event($0)) },
      receiveValue: { record.note(.value($0)) })
    guests.append(Guest(name: name, request: { _ in }, cancel: sink.cancel))
  }

  private var asked: [Int?] {
    upstream.subscriptions.map { $0.requests.reduce(Subscribers.Demand.none, +).max }
  }

  /// The observation at this moment.
  package var observation: Observation {
    let status = shared.status
    return Observation(
      events: records.map(\.events),
      accounts: status.subscribers.map {
        Observation.Account(
          label: $0.label, waiting: $0.waiting,
          missed: terms.countsMissed($0.label) ? $0.missed : 0, rejoins: $0.rejoins,
          conflated: $0.conflated)
      }, replayed: shared.replayed, cached: status.cached, asked: asked,
      cancels: upstream.subscriptions.map(\.cancelCount), isConnected: status.isConnected,
      isEnded: status.isEnded)
  }

  /// Cancels whatever is left.
  package func leave() {
    for guest in guests { guest.cancel() }
    for claim in claims { claim.cancel() }
  }
}

extension SharedPublisher where Output == Int, Failure == Observation.Failure {
  fileprivate func joiningAsAny(
    _ place: Program.Guest.Place, _ unwanted: Int?, _ backlog: Terms.Backlog?, label: String
  ) -> any SharedPublisher<Int, Observation.Failure> {
    guard let unwanted else {
      return joining(place.fanoutPlace, backlog: backlog?.fanoutBacklog, label: label)
    }
    return joining(
      place.fanoutPlace, where: { !$0.isMultiple(of: unwanted) },
      backlog: backlog?.fanoutBacklog, label: label)
  }

  fileprivate func subscribeToDeliveries(_ subscriber: FanoutSubscriber<Delivery<Int>>) {
    deliveries().receive(subscriber: subscriber)
  }

  fileprivate func sinkAsAny(
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<Observation.Failure>) -> Void,
    receiveValue: @escaping @Sendable (Int) -> Void
  ) -> AnyCancellable {
    sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
  }
}
