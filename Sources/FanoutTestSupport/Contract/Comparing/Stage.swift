internal import Fanout

/// Something on which a program can be played: the model, or the real thing.
protocol Stage: AnyObject {
  func send(_ value: Int)
  func end(failing: Bool)
  func subscribe(_ subscriber: Int, _ demand: Subscribers.Demand, connecting: Bool)
  func request(_ subscriber: Int, _ demand: Subscribers.Demand)
  func cancel(_ subscriber: Int)
  func connect()
  func disconnect()

  /// Who is still attached and retained.
  var heldSubscribers: Set<Int> { get }
  /// How often the upstream was subscribed to, asked, and cancelled.
  var upstreamCalls: UpstreamCalls { get }
}

/// What was done to an upstream.
struct UpstreamCalls: Equatable, CustomStringConvertible {
  var subscriptions = 0
  var requests = 0
  var cancels = 0

  var description: String {
    "\(subscriptions) subscriptions, \(requests) requests, \(cancels) cancels"
  }
}

/// A failure of the model's.
struct ModelFailure: Error, Equatable, CustomStringConvertible {
  var description: String { "failed" }
}

/// What a subscriber got.
typealias Event = RecordedEvent<Int, ModelFailure>
