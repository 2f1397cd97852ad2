internal import Fanout
internal import FanoutTestSupport

/// The contract on a page: a model of a program's required results, with plain lists, and without
/// threads, logs or shared storage.
///
/// Values, ends, joins and connections happen one after another in the order of acceptance;
/// requests and cancels act at once.
final class ReferenceModel: Stage {
  /// The kind of publisher around the part that retains and delivers.
  enum Form {
    /// A subject that is driven directly.
    case subject
    /// Connections, each with a memory of its own.
    case multicast
    /// Connections to one subject.
    case multicastThroughSubject
  }

  enum Work {
    case value(Int), end(Event), join(Int), renew(opening: Bool)
  }

  struct Receiver {
    let isCounted: Bool
    var demand: Subscribers.Demand
    var owed: [Int] = []
    var hasAsked = false
    /// Whether its `receive(subscription:)` has returned.
    var isTold = false
    /// Whether it counts as asking the upstream: once its own request has been handled.
    var countsAsAsking = false
    var isAttached = false
    var isStopped = false
  }

  let promise: DeliveryContract.Promise
  let player: Player
  var receivers: [Int: Receiver] = [:]
  private var order: [Int] = []
  var numbers: [Int]
  private var hasMemory: Bool
  private var end: Event?
  private var queue: [Work] = []
  private var due: [Int] = []
  private var isRunning = false

  // The connection. A subject's exists from the start, and its claims are not counted.
  let form: Form
  var connection = 0
  var isLive: Bool
  var isStarted: Bool
  var isEnding = false
  var isUpstreamAsked = false
  var claims = 0
  /// The number of claims that `connect()` has returned and that are not yet released.
  var returnedClaims = 0
  var upstreamCalls = UpstreamCalls()

  init(_ promise: DeliveryContract.Promise, _ form: Form, _ player: Player) {
    self.promise = promise
    self.form = form
    self.player = player
    (isLive, isStarted) = (form == .subject, form == .subject)
    hasMemory = form != .multicast
    numbers = promise.initial
  }

  var heldSubscribers: Set<Int> { Set(receivers.filter { !$0.value.isStopped }.keys) }

  /// The values that must be alive when nothing is in progress, and no others.
  var values: Set<Int> {
    Set(hasMemory ? promise.replay(numbers) : []).union(receivers.values.flatMap(\.owed))
  }

  func send(_ value: Int) { if isLive, isStarted { leave(.value(value)) } }

  func end(failing: Bool) {
    guard isLive, isStarted else { return }
    (isLive, isEnding) = (false, true)
    leave(.end(.completion(failing ? .failure(ModelFailure()) : .finished)))
  }

  func subscribe(_ name: Int, _ demand: Subscribers.Demand, connecting: Bool) {
    receivers[name] = Receiver(
      isCounted: connecting, demand: demand, hasAsked: demand > .none)
    if connecting { open() }
    let opened = connection
    leave(.join(name))
    _ = player.react(name, to: .subscription)
    receivers[name]?.isTold = true
    see(to: name)
    if receivers[name]?.hasAsked == true { receivers[name]?.countsAsAsking = true }
    askUpstream()
    if connecting { start(opened) }
  }

  func request(_ name: Int, _ demand: Subscribers.Demand) {
    guard receivers[name]?.isStopped == false, demand > .none else { return }
    receivers[name]?.demand += demand
    receivers[name]?.hasAsked = true
    see(to: name)
    if receivers[name]?.isTold == true { receivers[name]?.countsAsAsking = true }
    askUpstream()
  }

  func cancel(_ name: Int) {
    guard receivers[name]?.isStopped == false else { return }
    receivers[name]?.isStopped = true
    receivers[name]?.owed = []
    closeIfUnclaimed()
  }

  func leave(_ work: Work) {
    queue.append(work)
    runOut()
  }

  private func see(to name: Int) {
    due.append(name)
    runOut()
  }

  private func runOut() {
    guard !isRunning else { return }
    isRunning = true
    while !due.isEmpty || !queue.isEmpty {
      if due.isEmpty { perform(queue.removeFirst()) } else { run(due.removeFirst()) }
    }
    isRunning = false
  }

  private func perform(_ work: Work) {
    switch work {
    case .renew(let opening): (numbers, hasMemory) = ([], opening)
    case .value(let number):
      numbers.append(number)
      for name in order { give(number, to: name) }
    case .join(let name):
      guard receivers[name]?.isStopped == false else { return }
      let isOvertaken = end != nil && promise.endOvertakes
      receivers[name]?.owed = !hasMemory || isOvertaken ? [] : promise.replay(numbers)
      receivers[name]?.isAttached = true
      order.append(name)
      due.append(name)
    case .end(let event):
      end = event
      for name in order {
        // The end overtakes the values that have not been requested by then.
        if promise.endOvertakes { limitOwed(of: name, to: receivers[name]?.demand ?? .none) }
        run(name)
      }
    }
  }

  private func give(_ number: Int, to name: Int) {
    guard let receiver = receivers[name], !receiver.isStopped else { return }
    if receiver.isTold, receiver.owed.isEmpty, receiver.demand > .none {
      return deliver(number, to: name)
    }
    switch promise.slowness {
    case .kept: break
    case .lost:
      // Because of a request during `receive(subscription:)`, later values wait for it.
      guard !receiver.isTold, receiver.demand > receiver.owed.count else { return }
    case .replaced:
      let asked = receiver.isTold ? .none : receiver.demand
      if asked < receiver.owed.count { receivers[name]?.owed.removeLast() }
    }
    receivers[name]?.owed.append(number)
    run(name)
  }

  private func limitOwed(of name: Int, to demand: Subscribers.Demand) {
    while let owed = receivers[name]?.owed, demand < owed.count {
      receivers[name]?.owed.removeLast()
    }
  }

  private func run(_ name: Int) {
    while let receiver = receivers[name], receiver.isAttached, receiver.isTold,
      !receiver.isStopped, receiver.demand > .none, let number = receiver.owed.first
    {
      receivers[name]?.owed.removeFirst()
      deliver(number, to: name)
    }
    guard let end, let receiver = receivers[name], receiver.isAttached, receiver.isTold,
      !receiver.isStopped, receiver.owed.isEmpty
    else { return }
    receivers[name]?.isStopped = true
    _ = player.react(name, to: end)
  }

  private func deliver(_ number: Int, to name: Int) {
    receivers[name]?.demand -= 1
    let more = player.react(name, to: .value(number))
    receivers[name]?.demand += more
  }
}

extension DeliveryContract.Promise {
  /// Whether the end overtakes a value that has not been requested.
  var endOvertakes: Bool {
    if case .replaced(endOvertakes: true) = slowness { true } else { false }
  }
}
