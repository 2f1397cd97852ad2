internal import Fanout
internal import FanoutLifetime
internal import FanoutTestSupport

/// A stage that plays a program on the publisher under test.
final class LiveStage<Value, Failure: Error>: Stage {
  private struct Member {
    let recorder: TestSubscriber<Int, Failure>
    let reference: WeakReference
  }

  private let trial: Trial<Value, Failure>
  private let player: Player
  private var wiring: Wiring<Value, Failure>?
  private var members: [Int: Member] = [:]
  private var held: Set<Int> = []
  private var claims: [AnyCancellable] = []
  private var sent: [(number: Int, reference: WeakReference)] = []

  init(_ trial: Trial<Value, Failure>, _ player: Player) {
    self.trial = trial
    self.player = player
    wiring = trial.makeWiring { player.answer() }
  }

  var heldSubscribers: Set<Int> {
    // A released subscriber does not come back.
    held = held.filter { members[$0]?.reference.isAlive == true }
    return held
  }
  var upstreamCalls: UpstreamCalls { wiring?.upstreamCalls() ?? UpstreamCalls() }

  /// Returns a subscriber's observations that no publisher may cause.
  func violations(of subscriber: Int) -> [String] {
    members[subscriber]?.recorder.violations ?? []
  }

  /// Returns the sent values that are alive; none if the values are not objects.
  func aliveValues() -> Set<Int> {
    sent.removeAll { !$0.reference.isAlive }
    return Set(sent.map(\.number))
  }

  func send(_ number: Int) {
    let value = trial.value(number)
    if Value.self is AnyObject.Type { sent.append((number, WeakReference(value as AnyObject))) }
    wiring?.send(value)
  }

  func end(failing: Bool) {
    guard failing else { return wiring?.end(.finished) ?? () }
    guard let failure = trial.failure else { return }
    wiring?.end(.failure(failure))
  }

  func subscribe(_ subscriber: Int, _ demand: Subscribers.Demand, connecting: Bool) {
    let player = player
    let recorder = TestSubscriber<Int, Failure>(
      initialDemand: demand,
      demandFor: { _, number in player.react(subscriber, to: .value(number)) },
      whenSubscribed: { _ in _ = player.react(subscriber, to: .subscription) },
      whenCompleted: { recorder in
        let isFailure = if case .failure = recorder.completion { true } else { false }
        let end: Event = .completion(isFailure ? .failure(ModelFailure()) : .finished)
        _ = player.react(subscriber, to: end)
      })
    let receiver = NumberingSubscriber(
      subscriber, recorder, isSink: demand == .unlimited && player.allowsSink(subscriber),
      number: trial.number)
    held.insert(subscriber)
    members[subscriber] = Member(recorder: recorder, reference: WeakReference(receiver))
    wiring?.subscribe(receiver, connecting)
  }

  func request(_ subscriber: Int, _ demand: Subscribers.Demand) {
    members[subscriber]?.recorder.request(demand)
  }

  func cancel(_ subscriber: Int) { members[subscriber]?.recorder.cancel() }

  func connect() { if let claim = wiring?.connect?() { claims.append(claim) } }

  func disconnect() { if !claims.isEmpty { claims.removeFirst().cancel() } }

  /// Cancels and releases everything, and returns the names of the objects that are still alive.
  func tearDown() -> [String] {
    members.values.forEach { $0.recorder.cancel() }
    claims = []
    let watched = (wiring?.watched ?? []) + trial.watched()
    wiring = nil
    let subscribers = members.sorted { $0.key < $1.key }
      .map { ("subscriber \($0.key)", $0.value.reference) }
    members = [:]
    let values = sent.map { ("value \($0.number)", $0.reference) }
    return (watched + subscribers + values).filter(\.1.isAlive).map(\.0)
  }
}
